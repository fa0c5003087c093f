#include "ta2s2/workflow/model_average.hpp"

namespace ta2s2 {
std::vector<ValidFitOptions> models_of(const FitOptions& options) {
  if (options.model != ModelUse::average) return {ValidFitOptions(for_single_model(options))};
  std::vector<ValidFitOptions> models;
  for (const std::string& text : options.average_over) {
    const MemberName member = parse_member(text);
    FitOptions own = options;
    own.model = ModelUse::single;
    own.correlation = member.correlation;
    own.transform = member.transform;
    mark_as_part(own, options.weighting, options.average_over.size());
    models.emplace_back(own);
  }
  return models;
}

void mark_as_part(FitOptions& options, Weighting weighting, std::size_t num_models) {
  options.weighs_evidence = weighting == Weighting::evidence;
  options.num_averaged = static_cast<Index>(num_models);
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
