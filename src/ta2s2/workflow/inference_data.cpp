#include "ta2s2/workflow/inference_data.hpp"

#include <utility>

#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/growth.hpp"
#include "ta2s2/workflow/record.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2 {
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
  const Matrix rows = draw_rows(record)(chosen, Eigen::all);  // log phi, length-scales, nugget, energy, weight
  ArrayGroup group{"posterior", chain_and_draw(rows.rows()), {}};
  group.labels.push_back({"input", p, record.data.input_names()});
  group.arrays = {by_draw_and_input("length_scale", rows.middleCols(p, p)),
                  by_draw_and_input("log_phi", rows.leftCols(p)), by_draw("nugget", rows.col(2 * p))};
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
    throw Error(ErrorCode::usage, "found a fit without a sample (--map-only), expected one with draws");
  }
  const std::vector<Index> chosen = equally_weighted_draws(record.sample.weights, record.options.annealing.seed);
  return {record.version,
          record.times.created,
          member_label(record.options),
          {posterior(record, chosen), sample_stats(record, chosen), observed_data(record.data),
           constant_data(record.data)}};
}

}  // namespace ta2s2
