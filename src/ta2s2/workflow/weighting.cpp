#include "ta2s2/workflow/weighting.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/predictive/model_weights.hpp"

namespace ta2s2 {
namespace {

std::string name_of(const FitOptions& options) {
  return "--correlation " + options.correlation + " --transform " + options.transform + " --trend " + options.trend +
         " --prior " + options.prior;
}

std::vector<double> log_evidences(const std::vector<MemberRecord>& fits) {
  std::vector<double> values;
  for (const MemberRecord& fit : fits) {
    if (!fit.evidence) {
      throw Error(ErrorCode::usage, "weights by evidence need one of every model, and --sampler " +
                                        fit.options.sampler + " gives none; choose stacking or equal weights");
    }
    if (!fit.evidence->is_normalised) {
      throw Error(ErrorCode::usage, "the evidence of " + name_of(fit.options) +
                                        " is known but for its prior's constant, which weights by evidence need; "
                                        "choose another prior, or stacking or equal weights");
    }
    values.push_back(fit.evidence->log_evidence);
  }
  return values;
}

std::vector<double> by_evidence(const std::vector<MemberRecord>& fits, Executor&) {
  return evidence_weights(log_evidences(fits));
}

std::vector<double> equally(const std::vector<MemberRecord>& fits, Executor&) {
  return std::vector<double>(fits.size(), 1.0 / static_cast<double>(fits.size()));
}

// Where runs are too few for one to be left out, nothing tells the models apart.
std::vector<double> by_stacking(const std::vector<MemberRecord>& fits, Executor& executor) {
  if (!can_leave_one_out(fits.front())) return equally(fits, executor);
  std::vector<LeftOutScores> scores;
  for (const MemberRecord& fit : fits) scores.push_back(left_out_scores(fit, executor));
  return stacking_weights(scores);
}

constexpr WeightingRule kRules[] = {
    {Weighting::stacking, "stacking", "weights by stacking", false, by_stacking},
    {Weighting::evidence, "evidence", "weights by evidence", true, by_evidence},
    {Weighting::equal, "equal", "equal weights", false, equally},
};

}  // namespace

std::span<const WeightingRule> weighting_rules() {
  return kRules;
}

const WeightingRule& rule_of(Weighting weighting) {
  return *std::find_if(std::begin(kRules), std::end(kRules),
                       [&](const WeightingRule& rule) { return rule.weighting == weighting; });
}

std::vector<double> model_weights(const std::vector<MemberRecord>& fits, Weighting weighting, Executor& executor) {
  return rule_of(weighting).weigh(fits, executor);
}

std::vector<double> stacking_weights(const std::vector<LeftOutScores>& scores) {
  const Index n = scores.front().log_density.size();
  std::vector<Index> known;
  for (Index i = 0; i < n; ++i) {
    const auto is_known = [&](const LeftOutScores& of_model) { return !std::isnan(of_model.log_density[i]); };
    if (std::all_of(scores.begin(), scores.end(), is_known)) known.push_back(i);
  }
  Matrix log_densities(static_cast<Index>(known.size()), static_cast<Index>(scores.size()));
  Vector mean_crps = Vector::Ones(log_densities.cols());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    log_densities.col(static_cast<Index>(k)) = scores[k].log_density(known);
    if (!known.empty()) mean_crps[static_cast<Index>(k)] = scores[k].crps(known).mean();
  }
  return stacking_weights(log_densities, mean_crps);
}

}  // namespace ta2s2
