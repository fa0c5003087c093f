#include "ta2s2/workflow/model_average.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/predictive/model_weights.hpp"

namespace ta2s2 {
namespace {

std::string name_of(const FitOptions& options) {
  return "--correlation " + options.correlation + " --transform " + options.transform + " --trend " + options.trend + " --prior " + options.prior;
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

}  // namespace

std::vector<double> stacking_weights(const std::vector<LeftOutScores>& scores) {
  const Index n = scores.front().log_density.size();
  std::vector<Index> known;
  for (Index i = 0; i < n; ++i) {
    const auto is_known = [&](const LeftOutScores& of_model) { return !std::isnan(of_model.log_density[i]); };
    if (std::all_of(scores.begin(), scores.end(), is_known)) known.push_back(i);
  }
  Matrix log_densities(static_cast<Index>(known.size()), static_cast<Index>(scores.size()));
  for (std::size_t k = 0; k < scores.size(); ++k) {
    log_densities.col(static_cast<Index>(k)) = scores[k].log_density(known);
  }
  return stacking_weights(log_densities);
}

std::vector<double> model_weights(const std::vector<MemberRecord>& fits, Weighting weighting, Executor& executor) {
  if (weighting == Weighting::evidence) return evidence_weights(log_evidences(fits));
  if (weighting == Weighting::equal) return std::vector<double>(fits.size(), 1.0 / static_cast<double>(fits.size()));
  std::vector<LeftOutScores> scores;
  for (const MemberRecord& fit : fits) scores.push_back(left_out_scores(fit, executor));
  return stacking_weights(scores);
}

std::vector<ValidFitOptions> models_of(const FitOptions& options) {
  if (options.model != ModelUse::average) return {ValidFitOptions(for_single_model(options))};
  std::vector<ValidFitOptions> models;
  for (const std::string& text : options.average_over) {
    const MemberName member = parse_member(text);
    FitOptions own = options;
    own.model = ModelUse::single;
    own.correlation = member.correlation;
    own.transform = member.transform;
    own.weighs_evidence = options.weighting == Weighting::evidence;
    models.emplace_back(own);
  }
  return models;
}

FitOptions options_of(const OutputRecord& output) {
  FitOptions options = output.members.front().options;
  if (is_single(output)) return options;
  options.model = ModelUse::average;
  options.correlation = options.transform = kAutomatic;
  options.weighting = *output.weighting;
  options.average_over.clear();
  for (const MemberRecord& fit : output.members) {
    options.average_over.push_back(MemberName{fit.options.correlation, fit.options.transform}.text());
  }
  return options;
}

}  // namespace ta2s2
