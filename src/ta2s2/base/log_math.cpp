#include "ta2s2/base/log_math.hpp"

#include <algorithm>
#include <cmath>

namespace ta2s2 {

double log_sum_exp(std::span<const double> values) {
  double largest = -kInfinity;
  for (const double value : values) largest = std::max(largest, value);
  if (!std::isfinite(largest)) return largest;
  double sum = 0.0;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

double log_add_exp(double a, double b) {
  const double pair[] = {a, b};
  return log_sum_exp(pair);
}

double log_sigmoid(double x) {
  return x < 0.0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}

}  // namespace ta2s2
