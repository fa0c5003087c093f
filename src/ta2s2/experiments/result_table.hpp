// Results by the names of their columns.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ta2s2/experiments/result_file.hpp"

namespace ta2s2 {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// A view: the file must outlive it.
class ResultTable {
 public:
  explicit ResultTable(const ResultFile& results) : results_(&results) {}

  const std::vector<ResultRow>& rows() const { return results_->rows(); }
  const std::string& text(const ResultRow& row, const std::string& column) const;
  double number(const ResultRow& row, const std::string& column) const;  // NaN for an empty cell
  // Those of the rows that have one.
  std::vector<double> numbers(const std::vector<const ResultRow*>& rows, const std::string& column) const;

 private:
  const ResultFile* results_;
};

}  // namespace ta2s2
