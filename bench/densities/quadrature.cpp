#include "quadrature.hpp"

#include <cmath>
#include <numbers>

namespace ta2s2::densities {
namespace {

constexpr Index kIntervals = 40'000;

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

}  // namespace

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

LogCdf log_normal_cdf(double z) {
  if (z > -10.0) {
    const double cdf = normal_cdf(z);
    return {std::log(cdf), normal_density(z) / cdf};
  }
  // Abramowitz and Stegun (26.2.12), an asymptotic series: to 1e-6 at z = -10, better beyond.
  const double u = 1.0 / (z * z);
  const double series = 1.0 - u * (1.0 - 3.0 * u * (1.0 - 5.0 * u * (1.0 - 7.0 * u)));
  return {-0.5 * z * z - std::log(-z * std::sqrt(2.0 * std::numbers::pi)) + std::log(series), -z / series};
}

TruncatedNormal truncated_normal(double mean, double sd, double low, double high) {
  const double a = (low - mean) / sd, b = (high - mean) / sd;
  const double mass = a > 0.0 ? normal_cdf(-a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
  if (!(mass > 0.0)) return {0.0, 0.5 * (low + high), 0.25 * (low + high) * (low + high)};
  const double at_a = normal_density(a), at_b = normal_density(b);
  const double m1 = (at_a - at_b) / mass, m2 = 1.0 + (a * at_a - b * at_b) / mass;
  return {mass, mean + sd * m1, mean * mean + 2.0 * mean * sd * m1 + sd * sd * m2};
}

double GridLaw::expectation(const std::function<double(double)>& f) const {
  double sum = 0.0;
  for (Index i = 0; i < at.size(); ++i) {
    if (mass[i] > 0.0) sum += mass[i] * f(at[i]);
  }
  return sum;
}

double GridLaw::mean() const {
  return at.dot(mass);
}

double GridLaw::sd() const {
  return std::sqrt((at.array() - mean()).square().matrix().dot(mass));
}

GridLaw on_grid(const std::function<double(double)>& log_density, double low, double high) {
  GridLaw law;
  law.at = Vector::LinSpaced(kIntervals + 1, low, high);
  Vector logs(law.at.size());
  for (Index i = 0; i < logs.size(); ++i) logs[i] = log_density(law.at[i]);
  const double most = logs.maxCoeff();
  law.mass = (logs.array() - most).exp();
  law.mass[0] *= 0.5;
  law.mass[kIntervals] *= 0.5;
  const double sum = law.mass.sum();
  law.mass /= sum;
  law.log_evidence = most + std::log(sum * (high - low) / static_cast<double>(kIntervals));
  return law;
}

double solve_increasing(const std::function<double(double)>& f, double value, double low, double high) {
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < value ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace ta2s2::densities
