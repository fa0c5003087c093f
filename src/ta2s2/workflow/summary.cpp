#include "ta2s2/workflow/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

QuantitySummary summarise(const std::string& name, const Vector& values, const Vector& weights) {
  const double mean = weights.dot(values);
  const double sd = std::sqrt(weights.dot((values.array() - mean).square().matrix()));
  const std::vector<double> quantiles = weighted_quantiles(values, weights, {0.025, 0.5, 0.975});
  return {name, mean, sd, quantiles[0], quantiles[1], quantiles[2]};
}

NaturalPoint natural_in_space(const ParameterSpace& space, const Scaling& scaling, VectorView position) {
  const GpParameters parameters = space.natural(position);
  return {parameters.phi.cwiseSqrt().cwiseProduct(scaling.width()), parameters.nugget};
}

// Rows: length-scales, then the nugget; a column per draw.
Matrix natural_draws(const MemberRecord& record) {
  const ParameterSpace space = make_space(record.data, record.options);
  Matrix natural(record.data.num_inputs() + 1, record.sample.size());
  for (Index i = 0; i < record.sample.size(); ++i) {
    const NaturalPoint point = natural_in_space(space, record.scaling, record.sample.positions.col(i));
    natural.col(i) << point.length_scales, point.nugget;
  }
  return natural;
}

}  // namespace

std::vector<double> weighted_quantiles(const Vector& values, const Vector& weights, const std::vector<double>& levels) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] < values[b]; });
  std::vector<double> quantiles;
  double sum = weights[order.front()];
  std::size_t i = 0;
  for (const double level : levels) {
    while (sum < level && i + 1 < order.size()) sum += weights[order[++i]];
    quantiles.push_back(values[order[i]]);
  }
  return quantiles;
}

NaturalPoint natural_point(const MemberRecord& record, VectorView position) {
  return natural_in_space(make_space(record.data, record.options), record.scaling, position);
}

std::vector<QuantitySummary> summarise_parameters(const MemberRecord& record) {
  const Matrix natural = natural_draws(record);
  const Vector& weights = record.sample.weights;
  std::vector<QuantitySummary> summaries;
  for (Index d = 0; d < record.data.num_inputs(); ++d) {
    summaries.push_back(summarise("length_scale_" + record.data.input_names()[static_cast<std::size_t>(d)],
                                  natural.row(d).transpose(), weights));
  }
  summaries.push_back(summarise("nugget", natural.row(record.data.num_inputs()).transpose(), weights));
  return summaries;
}

std::vector<std::string> draw_column_names(const MemberRecord& record) {
  std::vector<std::string> names;
  for (const std::string& input : record.data.input_names()) names.push_back("log_phi_" + input);
  for (const std::string& input : record.data.input_names()) names.push_back("length_scale_" + input);
  names.insert(names.end(), {"nugget", "energy", "weight"});
  return names;
}

Matrix draw_rows(const MemberRecord& record) {
  const Index p = record.data.num_inputs();
  Matrix rows(record.sample.size(), 2 * p + 3);
  rows << record.sample.positions.topRows(p).transpose(), natural_draws(record).transpose(), record.sample.energies,
      record.sample.weights;
  return rows;
}

SampleSize sample_size(const MemberRecord& record) {
  const Vector& weights = record.sample.weights;
  SampleSize size{kish_ess({weights.data(), static_cast<std::size_t>(weights.size())}), 0.0};
  for (const CoordinateDiagnostics& d : record.diagnostics) {
    size.of_chains =
        size.of_chains == 0.0 ? d.effective_sample_size : std::min(size.of_chains, d.effective_sample_size);
  }
  return size;
}

double root_mean_square_jump(const PartTally& part) {
  return part.steps > 0 ? std::sqrt(part.squared_jump / static_cast<double>(part.steps)) : 0.0;
}

std::string evidence_text(const Evidence& evidence) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f +- %.3f", evidence.log_evidence, evidence.standard_error);
  return std::string(text) + (evidence.is_normalised ? "" : " (up to the prior's unknown constant)");
}

}  // namespace ta2s2
