#include "ta2s2/predictive/normal_mixture_crps.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/predictive/student_mixture.hpp"

namespace ta2s2 {

namespace {

// (5.3): A(mu, sigma^2) = 2 sigma f(mu / sigma) + mu (2 F(mu / sigma) - 1) = E|N(mu, sigma^2)|.
double mean_absolute_normal(double mu, double variance) {
  if (variance == 0.0) return std::abs(mu);
  const double sigma = std::sqrt(variance);
  const double ratio = mu / sigma;
  constexpr double kTwiceDensityAtZero = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return kTwiceDensityAtZero * sigma * std::exp(-0.5 * ratio * ratio) + mu * std::erf(ratio / std::numbers::sqrt2);
}

}  // namespace

double normal_mixture_crps_by_pairs(std::span<const double> weights, std::span<const double> means,
                                    std::span<const double> sds, double y) {
  double to_truth = 0.0;
  double to_each_other = 0.0;  // half the double sum: A is symmetric, so each pair once, and half the diagonal
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double variance = sds[i] * sds[i];
    to_truth += weights[i] * mean_absolute_normal(y - means[i], variance);
    double row = 0.5 * weights[i] * mean_absolute_normal(0.0, 2.0 * variance);
    for (std::size_t j = 0; j < i; ++j) {
      row += weights[j] * mean_absolute_normal(means[i] - means[j], variance + sds[j] * sds[j]);
    }
    to_each_other += weights[i] * row;
  }
  return to_truth - to_each_other;
}

double normal_mixture_crps_by_quadrature(std::span<const double> weights, std::span<const double> means,
                                         std::span<const double> sds, double y, InstructionSet path) {
  return StudentMixture(weights, means, sds, kInfinity, path).crps(y);
}

double normal_mixture_crps(std::span<const double> weights, std::span<const double> means, std::span<const double> sds,
                           double y, InstructionSet path) {
  const bool few = weights.size() <= static_cast<std::size_t>(kMostNormalPairs);
  return few ? normal_mixture_crps_by_pairs(weights, means, sds, y)
             : normal_mixture_crps_by_quadrature(weights, means, sds, y, path);
}

}  // namespace ta2s2
