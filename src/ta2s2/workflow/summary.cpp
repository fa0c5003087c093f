#include "ta2s2/workflow/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/growth.hpp"
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
  NaturalPoint point{parameters.phi.cwiseSqrt().cwiseProduct(scaling.length_units()), parameters.nugget};
  for (Index k = 0; k < space.num_normal(); ++k) {
    point.others.emplace_back(space.normal_coordinates()[static_cast<std::size_t>(k)].name,
                              position[space.first_normal() + k]);
  }
  return point;
}

// Names of what follows the length-scales.
std::vector<std::string> names_after_length_scales(const ParameterSpace& space) {
  std::vector<std::string> names = {"nugget"};
  for (const NormalCoordinate& coordinate : space.normal_coordinates()) names.push_back(coordinate.name);
  return names;
}

// Rows: length-scales, then the nugget, then normal coordinates; a column per draw.
Matrix natural_draws(const MemberRecord& record) {
  const ParameterSpace space = make_space(record);
  const Matrix& positions = record.sample.positions;
  Matrix natural(space.num_inputs() + 1 + space.num_normal(), record.sample.size());
  for (Index i = 0; i < record.sample.size(); ++i) {
    const NaturalPoint point = natural_in_space(space, record.scaling, positions.col(i));
    natural.col(i) << point.length_scales, point.nugget, positions.col(i).tail(space.num_normal());
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
  return natural_in_space(make_space(record), record.scaling, position);
}

std::vector<QuantitySummary> summarise_parameters(const MemberRecord& record) {
  const Matrix natural = natural_draws(record);
  const Vector& weights = record.sample.weights;
  std::vector<QuantitySummary> summaries;
  for (Index d = 0; d < record.data.num_inputs(); ++d) {
    summaries.push_back(summarise("length_scale_" + record.data.input_names()[static_cast<std::size_t>(d)],
                                  natural.row(d).transpose(), weights));
  }
  Index row = record.data.num_inputs();
  for (const std::string& name : names_after_length_scales(make_space(record))) {
    summaries.push_back(summarise(name, natural.row(row++).transpose(), weights));
  }
  return summaries;
}

namespace {

std::vector<std::string> draw_columns(const MemberRecord& record, const std::vector<std::string>& after_length_scales) {
  std::vector<std::string> names;
  for (const std::string& input : record.data.input_names()) names.push_back("log_phi_" + input);
  for (const std::string& input : record.data.input_names()) names.push_back("length_scale_" + input);
  names.insert(names.end(), after_length_scales.begin(), after_length_scales.end());
  names.insert(names.end(), {"energy", "weight"});
  return names;
}

}  // namespace

std::vector<std::string> draw_column_names(const MemberRecord& record) {
  return draw_columns(record, names_after_length_scales(make_space(record)));
}

std::vector<std::string> draw_column_names(const OutputRecord& output) {
  std::vector<std::string> after_length_scales;
  for (const MemberRecord& fit : output.members) {
    for (const std::string& name : names_after_length_scales(make_space(fit))) add_once(after_length_scales, name);
  }
  return draw_columns(output.members.front(), after_length_scales);
}

Matrix draw_rows(const MemberRecord& record) {
  const Index p = record.data.num_inputs();
  const Matrix natural = natural_draws(record).transpose();
  Matrix rows(record.sample.size(), p + natural.cols() + 2);
  rows << record.sample.positions.topRows(p).transpose(), natural, record.sample.energies, record.sample.weights;
  return rows;
}

Matrix draw_rows(const MemberRecord& record, const std::vector<std::string>& columns) {
  const std::vector<std::string> own = draw_column_names(record);
  const Matrix rows = draw_rows(record);
  Matrix placed = Matrix::Constant(rows.rows(), static_cast<Index>(columns.size()), std::nan(""));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto found = std::find(own.begin(), own.end(), columns[j]);
    if (found != own.end()) placed.col(static_cast<Index>(j)) = rows.col(found - own.begin());
  }
  return placed;
}

double least_effective_size(const std::vector<CoordinateDiagnostics>& diagnostics) {
  double least = 0.0;
  for (const CoordinateDiagnostics& d : diagnostics) {
    least = least == 0.0 ? d.effective_sample_size : std::min(least, d.effective_sample_size);
  }
  return least;
}

SampleSize sample_size(const MemberRecord& record) {
  const Vector& weights = record.sample.weights;
  return {kish_ess({weights.data(), static_cast<std::size_t>(weights.size())}),
          least_effective_size(record.diagnostics)};
}

double root_mean_square_jump(const PartTally& part) {
  return part.steps > 0 ? std::sqrt(part.squared_jump / static_cast<double>(part.steps)) : 0.0;
}

std::string evidence_text(const Evidence& evidence) {
  return format_fixed(evidence.log_evidence, 3) + " +- " + format_fixed(evidence.standard_error, 3) +
         (evidence.is_normalised ? "" : " (up to the prior's unknown constant)");
}

// ---- arrays for ArviZ ----

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> row_major(const Rows& rows) {
  return {rows.data(), rows.data() + rows.size()};
}

NamedArray by_draw_and_input(const std::string& name, const Matrix& draws) {
  return {name, {"chain", "draw", "input"}, {1, draws.rows(), draws.cols()}, row_major(draws)};
}

NamedArray by_draw(const std::string& name, const Vector& draws) {
  return {name, {"chain", "draw"}, {1, draws.size()}, {draws.begin(), draws.end()}};
}

template <typename Number>
NamedArray by_level(const std::string& name, const std::vector<LevelSummary>& levels, Number number) {
  NamedArray array{name, {"level"}, {static_cast<Index>(levels.size())}, {}};
  for (const LevelSummary& level : levels) array.values.push_back(number(level));
  return array;
}

std::vector<Labels> chain_and_draw(Index num_draws) {
  return {{"chain", 1}, {"draw", num_draws}};
}

ArrayGroup posterior(const MemberRecord& record, const std::vector<Index>& chosen) {
  const Index p = record.data.num_inputs();
  const Matrix rows = draw_rows(record)(chosen, Eigen::all);  // by draw_column_names
  ArrayGroup group{"posterior", chain_and_draw(rows.rows()), {}};
  group.labels.push_back({"input", p, record.data.input_names()});
  group.arrays = {by_draw_and_input("length_scale", rows.middleCols(p, p)),
                  by_draw_and_input("log_phi", rows.leftCols(p))};
  Index column = 2 * p;
  for (const std::string& name : names_after_length_scales(make_space(record))) {
    group.arrays.push_back(by_draw(name, rows.col(column++)));
  }
  return group;
}

ArrayGroup sample_stats(const MemberRecord& record, const std::vector<Index>& chosen) {
  const std::vector<LevelSummary>& levels = record.levels;
  const Vector energies = record.sample.energies(chosen);
  ArrayGroup group{"sample_stats", chain_and_draw(energies.size()), {}};
  group.labels.push_back({"level", static_cast<Index>(levels.size())});
  group.arrays = {
      by_draw("lp", -energies),
      by_level("temperature", levels, [](const LevelSummary& l) { return 1.0 / l.beta; }),
      by_level("inverse_temperature", levels, [](const LevelSummary& l) { return l.beta; }),
      by_level("level_ess", levels, [](const LevelSummary& l) { return l.effective_sample_size; }),
      by_level("level_acceptance", levels, [](const LevelSummary& l) { return l.acceptance(); }),
      by_level("level_evaluations", levels, [](const LevelSummary& l) { return static_cast<double>(l.evaluations); }),
      by_level("level_log_evidence", levels, [](const LevelSummary& l) { return l.log_mean_weight; })};
  return group;
}

ArrayGroup observed_data(const OutputRuns& data) {
  return {"observed_data",
          {{"run", data.num_runs()}},
          {{data.output_name(), {"run"}, {data.num_runs()}, {data.output().begin(), data.output().end()}}}};
}

ArrayGroup constant_data(const OutputRuns& data) {
  return {"constant_data",
          {{"run", data.num_runs()}, {"input", data.num_inputs(), data.input_names()}},
          {{"inputs", {"run", "input"}, {data.num_runs(), data.num_inputs()}, row_major(data.inputs())}}};
}

}  // namespace

std::vector<Index> equally_weighted_draws(const Vector& weights, std::uint64_t seed) {
  Stream stream({seed, Purpose::equal_weights, 0, 0, 0});
  std::vector<Index> chosen = systematic_resample(weights, weights.size(), stream);
  for (Index i = weights.size() - 1; i > 0; --i) {
    std::swap(chosen[static_cast<std::size_t>(i)], chosen[static_cast<std::size_t>(draw_index(stream, i + 1))]);
  }
  return chosen;
}

InferenceData inference_data(const MemberRecord& record) {
  if (!record.has_sample()) {
    throw Error(ErrorCode::usage, "found a fit without a sample (--fast), expected one with draws");
  }
  const std::vector<Index> chosen = equally_weighted_draws(record.sample.weights, record.options.annealing.seed);
  return {record.version,
          record.times.created,
          member_label(record.options),
          {posterior(record, chosen), sample_stats(record, chosen), observed_data(record.data),
           constant_data(record.data)}};
}

}  // namespace ta2s2
