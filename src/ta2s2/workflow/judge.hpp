// One judgement of a fit, for `fit`, `show`, `validate`, the report and Python alike: they show its sentences and write
// none of their own. The limits are in workflow/judge_limits.hpp, the questions in ta2s2/judgement.hpp.
#pragma once

#include "ta2s2/judgement.hpp"
#include "ta2s2/workflow/chance_law.hpp"
#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// What is known of runs that the fit has not seen.
struct UnseenRuns {
  double rmse = 0.0;        // of the predicted means
  std::vector<double> pit;  // of each run: the predictive cdf at its output
  Index num_outside = 0;    // runs outside of the ranges that the fit is scaled by, in some input
  double farthest = 0.0;    // beyond them, in widths of an input's range
  ChanceLaw chance = {};    // what chance allows; see needs_joint_law
};

// Validation runs share one emulator and err together, so that chance allows them more than it allows independent ones.
// What it allows has to be simulated only if something would be said of independent runs: true then.
bool needs_joint_law(const std::vector<double>& pit);

// From scores of these runs, with the joint law where it is needed.
UnseenRuns make_validation(const OutputRecord& output, const OutputRuns& runs, double rmse, std::vector<double> pit,
                           Executor& executor);

// Pure: reads facts and computes no prediction. With validation runs these answer for accuracy and coverage, and what
// left-out runs say becomes notes.
Judgement judge(const OutputRecord& output, const LeftOutFacts& facts, const UnseenRuns* validation = nullptr);

// ---- the sampler alone, of one member ----

enum class SamplerStatus {
  converged,
  not_converged,  // more draws would help
  not_exact,      // they would not: the settings do not sample the posterior
  unchecked,      // nothing is known to be wrong, but there were no groups to compare
  no_sample,      // only the maximum was sought
};

// "converged", "not-converged", "not-exact", "unchecked" or "no-sample".
std::string to_word(SamplerStatus status);

struct SamplerHealth {
  SamplerStatus status = SamplerStatus::converged;
  std::vector<std::string> reasons;  // why it is not converged
  std::vector<std::string> advice;   // what to change
  std::vector<std::string> remarks;  // what is no failure
  std::string agreement;             // what a second run said, if there was one and it agrees
};

// How a posterior, or any density, was sampled, as far as it is judged.
struct SamplerFacts {
  const FitOptions& options;
  const std::vector<LevelSummary>& levels;
  const std::vector<CoordinateDiagnostics>& diagnostics;
  const std::vector<Mode>& modes;
  const std::optional<PassReport>& passes;
  const std::optional<Evidence>& evidence;
  const RunComparison* check = nullptr;  // null: no second run was asked for

  bool has_sample() const { return !options.fast; }
  Index num_groups() const { return ta2s2::num_groups(evidence, modes); }
};
SamplerFacts facts_of(const MemberRecord& record);

SamplerHealth check_sampler(const SamplerFacts& facts);
inline SamplerHealth check_sampler(const MemberRecord& record) {
  return check_sampler(facts_of(record));
}

// Of a sample from any density: whether its sampler converged.
Judgement judge_sample(const Sample& sample, const FitOptions& options);

// The heaviest status of the members that count.
SamplerStatus sampler_status(const OutputRecord& output);

// The findings on convergence and on the box, as `judge` has them of a single model.
std::vector<Finding> judge_sampler(const MemberRecord& record);

// The largest R-hat between so many groups that a good fit shows.
double largest_r_hat(Index num_groups);

namespace detail {

// ---- parts of judge(), each in a file with what it asks ----

// Of a single model or of an average, where a finding names the members that it is of.
std::vector<Finding> judge_samplers(const OutputRecord& output);
// Notes on the inputs by their stored probabilities to act; none if they are not stored.
std::vector<Finding> judge_inputs(const OutputRecord& output);
std::vector<Finding> judge_predictions(const OutputRecord& output, const LeftOutFacts& facts,
                                       const UnseenRuns* validation);

// Two digits and no exponent where that is readable: "0.58", "123".
std::string rounded(double value);
std::string percent(double share);  // "0.3%", "95%"

}  // namespace detail
}  // namespace ta2s2
