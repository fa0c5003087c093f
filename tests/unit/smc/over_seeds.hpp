// One quantity, estimated by runs with different seeds, against its truth.
#pragma once

#include <cmath>
#include <vector>

namespace ta2s2::test {

// Of the mean over seeds, in standard errors as the seeds' scatter gives them: Student t with one degree of freedom
// less than there are seeds if the estimates are unbiased and independent.
inline double error_in_standard_errors(const std::vector<double>& found, double truth) {
  const auto n = static_cast<double>(found.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : found) mean += value / n;
  for (const double value : found) squares += (value - mean) * (value - mean);
  return std::abs(mean - truth) / std::sqrt(squares / (n - 1.0) / n);
}

}  // namespace ta2s2::test
