#include "ta2s2/experiments/detail/draws_table.hpp"

#include <algorithm>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/experiments/detail/figure_table.hpp"

namespace ta2s2::detail {
namespace {

const std::string kPrefix = "log_phi_";

std::vector<double> normalised_weights(const FigureTable& table, const std::filesystem::path& path) {
  if (!table.has("weight")) return std::vector<double>(table.size(), 1.0 / static_cast<double>(table.size()));
  std::vector<double> weights = table.numbers("weight");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0.0))
    throw Error(ErrorCode::bad_data,
                path.string() + ": found weights that sum to " + std::to_string(sum) + ", expected a positive sum");
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

LengthScaleDraws read_length_scale_draws(const std::filesystem::path& path) {
  const FigureTable table(path);
  LengthScaleDraws draws;
  for (const std::string& name : table.names()) {
    if (!name.starts_with(kPrefix)) continue;
    draws.inputs.push_back(name.substr(kPrefix.size()));
    draws.values.push_back(table.numbers(name));
  }
  if (draws.inputs.empty()) {
    throw Error(ErrorCode::bad_data,
                path.string() + ": found no column that begins with " + kPrefix + ", expected one per length-scale");
  }
  draws.weights = normalised_weights(table, path);
  return draws;
}

std::vector<std::size_t> thinned_rows(const LengthScaleDraws& draws, std::size_t count) {
  count = std::min(count, draws.size());
  std::vector<std::size_t> rows;
  double reached = 0.0;
  for (std::size_t row = 0; row < draws.size(); ++row) {
    reached += draws.weights[row];
    while (rows.size() < count && (static_cast<double>(rows.size()) + 0.5) / static_cast<double>(count) < reached) {
      rows.push_back(row);
    }
  }
  return rows;
}

double weighted_quantile(const std::vector<double>& values, const std::vector<double>& weights, double level) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  double below = 0.0;
  for (const std::size_t i : order) {
    below += weights[i];
    if (below >= level) return values[i];
  }
  return values[order.back()];
}

}  // namespace ta2s2::detail
