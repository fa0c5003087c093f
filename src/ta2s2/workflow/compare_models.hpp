// Models of the same runs beside one another: evidence, Bayes factors, weights, and how each predicts what it has not
// seen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ta2s2/predictive/model_weights.hpp"
#include "ta2s2/workflow/weighting.hpp"

namespace ta2s2 {

// What a comparison varies; each entry is a spec of that setting.
struct ModelChoices {
  std::vector<std::string> correlations, trends, priors;
  std::vector<std::string> transforms = {kNoTransform};
};

// "matern52,power-exponential(1.9)": by commas outside parentheses. "all" stands for `all`, and an empty text for
// `otherwise`. Error{usage} for an empty part or one that is there twice.
std::vector<std::string> parse_choices(const std::string& option, const std::string& text,
                                       const std::vector<std::string>& all, const std::string& otherwise);

// As parse_choices. An empty text or "auto" stands for those that differ in how smooth the process is; "all" adds the
// power exponential, whose runs few runs do not tell from those of Matern 3/2.
std::vector<std::string> parse_correlations(const std::string& text);

// Every correlation with every transformation, trend and prior. With several trends the trend's prior is
// unit-information. Error{usage} naming every problem: of a model, or of models whose evidences do not compare.
std::vector<ValidFitOptions> expand(const ModelChoices& grid, const FitOptions& base);

struct ComparedFit {
  MemberRecord fit;
  LeftOutScores left_out;
  // Against the model with the largest evidence: 0 or below, and its standard error.
  double log_bayes_factor = 0.0, log_bayes_factor_error = 0.0;
  double weight = 0.0;  // by evidence
  WeightInterval weight_interval;
  double stacking_weight = 0.0;
  double seconds = 0.0;  // of fit and prior's constant

  double mean_crps() const;
  double mean_log_density() const;
};

struct ComparedFits {
  std::vector<ComparedFit> models;  // largest evidence first
  // How many of the log densities' runs rest on few draws, and which models cannot be told apart, in sentences.
  std::vector<std::string> notices;
};

// Told before each fit: number from 1.
using ComparisonProgress = std::function<void(Index number, Index total, const FitOptions& options)>;

// Fits one model after another, so that `seconds` is each one's own. Error{usage} if one has no evidence.
ComparedFits compare_fits(const OutputRuns& data, const std::vector<ValidFitOptions>& models,
                          const std::vector<InputRange>& ranges, Execution context, const ComparisonProgress& progress);

}  // namespace ta2s2
