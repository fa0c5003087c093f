#include "ta2s2/experiments/result_table.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

const std::string& ResultTable::text(const ResultRow& row, const std::string& column) const {
  const ResultRow& columns = results_->columns();
  return row.at(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
}

double ResultTable::number(const ResultRow& row, const std::string& column) const {
  const std::string& digits = text(row, column);
  if (digits.empty()) return kNoNumber;
  try {
    return parse_number(digits, "column " + column);
  } catch (const Error& error) {
    throw Error(ErrorCode::bad_data, results_->path().string() + ": " + error.what());
  }
}

std::vector<double> ResultTable::numbers(const std::vector<const ResultRow*>& rows, const std::string& column) const {
  std::vector<double> values;
  for (const ResultRow* row : rows) {
    const double value = number(*row, column);
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

}  // namespace ta2s2
