// Whether draws follow a distribution function.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace ta2s2 {

// sqrt(n) sup |F_n - F|, to be compared with ks_critical().
inline double ks_statistic(std::vector<double> draws, const std::function<double(double)>& cdf) {
  std::sort(draws.begin(), draws.end());
  const auto n = static_cast<double>(draws.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double f = cdf(draws[i]);
    const auto rank = static_cast<double>(i);
    largest = std::max({largest, f - rank / n, (rank + 1.0) / n - f});
  }
  return std::sqrt(n) * largest;
}

// Kolmogorov's P(sqrt(n) D > x) is at most 2 exp(-2 x^2) (Dvoretzky, Kiefer, Wolfowitz, with Massart's
// constant).
inline double ks_critical(double alpha) {
  return std::sqrt(-0.5 * std::log(0.5 * alpha));
}

}  // namespace ta2s2
