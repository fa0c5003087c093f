// What a fit learnt, in the user's units: numbers for `show`, the report and other programs.
#pragma once

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// A weighted sample of one quantity.
struct QuantitySummary {
  std::string name;
  double mean = 0.0, sd = 0.0;
  double low = 0.0, median = 0.0, high = 0.0;  // 2.5%, 50% and 97.5% quantiles
};

// The least value at which the summed weight of the sorted values reaches each level; levels rising.
std::vector<double> weighted_quantiles(const Vector& values, const Vector& weights, const std::vector<double>& levels);

// Length-scales sqrt(phi) of the inputs in their own units, then the nugget, then the shape of a correlation that has
// one and the parameters of the output's transformation.
std::vector<QuantitySummary> summarise_parameters(const MemberRecord& record);

// One row per draw: log_phi_<input>..., length_scale_<input>..., nugget, shape and parameters of the transformation,
// energy, weight.
std::vector<std::string> draw_column_names(const MemberRecord& record);
Matrix draw_rows(const MemberRecord& record);
// Of all models of an average; NaN in columns that a model does not have.
std::vector<std::string> draw_column_names(const OutputRecord& output);
Matrix draw_rows(const MemberRecord& record, const std::vector<std::string>& columns);

// Length-scales in the user's units, nugget, shape and parameters of the transformation, at one sampling position.
struct NaturalPoint {
  Vector length_scales;
  double nugget = 0.0;
  std::vector<std::pair<std::string, double>> others = {};  // by name
};
NaturalPoint natural_point(const MemberRecord& record, VectorView position);

// Kish's effective size of the weights, and the least over coordinates of the chains' effective size (0 if unknown).
struct SampleSize {
  double of_weights = 0.0;
  double of_chains = 0.0;
};
SampleSize sample_size(const MemberRecord& record);
// The least over coordinates; 0 if it is not known.
double least_effective_size(const std::vector<CoordinateDiagnostics>& diagnostics);

// Of a step, in standard deviations of the level.
double root_mean_square_jump(const PartTally& part);

// "-3.142 +- 0.020", with a word on the prior's constant if that is unknown.
std::string evidence_text(const Evidence& evidence);

// The fit as ArviZ sees one (https://python.arviz.org/en/stable/schema/schema.html): named groups of named arrays.
// posterior: length_scale, log_phi (chain, draw, input), nugget (chain, draw) and so the coordinates that only some
// models have, by their names; ArviZ knows no weights, so draws are
// repeated in proportion to theirs, as many in all as the sample has, and in an order that means nothing.
// sample_stats: lp, the log posterior density of each draw; temperature, inverse_temperature and others by level.
// observed_data: the output; constant_data: the inputs. There is no log_likelihood: the runs are not independent given
// the hyper-parameters, so the likelihood has no term for each. Error{usage} of a fit without a sample.
InferenceData inference_data(const MemberRecord& record);

}  // namespace ta2s2
