// What the members of an average weigh: one table of rules.
#pragma once

#include <span>
#include <vector>

#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

struct WeightingRule {
  Weighting weighting;
  const char* word;    // as it is typed
  const char* phrase;  // in a sentence: "weights by evidence"
  // Weights are probabilities of models by their evidences, which err: a small one then means nothing.
  bool rests_on_evidence;
  std::vector<double> (*weigh)(const std::vector<MemberRecord>& fits, Executor& executor);
};
std::span<const WeightingRule> weighting_rules();
const WeightingRule& rule_of(Weighting weighting);

// Weights of fits of the same runs; they sum to one. Error{usage} if a fit has no evidence, or one that compares only
// with those of the same prior, and weights by evidence are asked for.
std::vector<double> model_weights(const std::vector<MemberRecord>& fits, Weighting weighting, Executor& executor);

// Stacking weights when the scores are at hand; runs that some model cannot miss are left aside.
std::vector<double> stacking_weights(const std::vector<LeftOutScores>& scores);

}  // namespace ta2s2
