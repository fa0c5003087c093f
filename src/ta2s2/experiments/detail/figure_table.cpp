#include "ta2s2/experiments/detail/figure_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "ta2s2/error.hpp"

namespace ta2s2::detail {

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

}  // namespace ta2s2::detail
