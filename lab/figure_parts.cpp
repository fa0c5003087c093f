#include "lab/figure_parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>

#include "ta2s2/error.hpp"

namespace ta2s2::lab {

bool FigureTable::has(const std::string& column) const {
  return std::ranges::find(table_.names, column) != table_.names.end();
}

std::size_t FigureTable::index_of(const std::string& column) const {
  const auto found = std::ranges::find(table_.names, column);
  if (found != table_.names.end()) return static_cast<std::size_t>(found - table_.names.begin());
  throw Error(ErrorCode::bad_data, table_.path + ", line " + std::to_string(table_.header_line) +
                                       ": found no column \"" + column + "\", expected one to draw a figure from");
}

const std::string& FigureTable::text(std::size_t row, const std::string& column) const {
  return table_.rows[row].cells[index_of(column)];
}

double FigureTable::number(std::size_t row, const std::string& column) const {
  const std::string& cell = text(row, column);
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  throw Error(ErrorCode::bad_data, table_.path + ", line " + std::to_string(table_.rows[row].line) + ", column \"" +
                                       column + "\": found \"" + cell + "\", expected a number");
}

std::vector<double> FigureTable::numbers(const std::string& column) const {
  std::vector<double> values;
  for (std::size_t row = 0; row < size(); ++row) values.push_back(number(row, column));
  return values;
}

namespace {

struct NamedStyle {
  const char* system;
  SystemStyle style;
};

// Okabe and Ito (2008); their yellow darkened to be seen on white, and greys for black, on which no median would show.
constexpr std::array<NamedStyle, 9> kStyles{{
    {"exact", {0x0072B2, 7, 6}},
    {"published", {0xD55E00, 5, 4}},
    {"map", {0x555555, 2, 2}},
    {"plgp", {0xE69F00, 9, 8}},
    {"tmcmc", {0x56B4E9, 11, 10}},
    {"aims", {0x009E73, 13, 12}},
    {"slice", {0xCC79A7, 15, 14}},
    {"elliptical", {0x999999, 3, 3}},
    {"nuts", {0x9A8F00, 1, 1}},
}};
constexpr SystemStyle kOther{0x555555, 1, 1};

std::size_t rank_of(const std::string& system) {
  const auto found = std::ranges::find_if(kStyles, [&](const NamedStyle& style) { return style.system == system; });
  return static_cast<std::size_t>(found - kStyles.begin());
}

}  // namespace

SystemStyle style_of(const std::string& system) {
  const std::size_t rank = rank_of(system);
  return rank < kStyles.size() ? kStyles[rank].style : kOther;
}

std::vector<std::string> in_order_of_style(const std::vector<std::string>& systems) {
  std::vector<std::string> names;
  for (const std::string& system : systems) {
    if (std::ranges::find(names, system) == names.end()) names.push_back(system);
  }
  std::ranges::stable_sort(names, {}, rank_of);
  return names;
}

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

}  // namespace ta2s2::lab
