#include "targets/border_target.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

constexpr double kWidth = 10.0;
constexpr double kFirstSd = 1.0, kSecondSd = 0.6;
constexpr double kRate = 1.5;

// Of the pair that begins at coordinate d.
double correlation(Index d) {
  return d % 4 == 0 ? 0.6 : -0.5;
}

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

// Mass on the box of a pair whose first or second coordinate is x, with the other one integrated out in closed form.
double pair_marginal(double x, double sd, double other_sd, double rho) {
  const double scaled = x / sd, spread = std::sqrt(1.0 - rho * rho);
  const double inside = normal_cdf((kWidth / other_sd - rho * scaled) / spread) - normal_cdf(-rho * scaled / spread);
  return std::exp(-0.5 * scaled * scaled) / (sd * std::sqrt(2.0 * std::numbers::pi)) * inside;
}

bool inside(double x) {
  return x >= 0.0 && x <= kWidth;
}

}  // namespace

BorderTarget::BorderTarget(Index dim) : BoxTarget(Vector::Zero(dim), Vector::Constant(dim, kWidth)) {}

double BorderTarget::log_density(VectorView x) const {
  double sum = 0.0;
  for (Index d = 0; d + 1 < dim(); d += 2) {
    const double rho = correlation(d), rest = 1.0 - rho * rho;
    const double a = x[d] / kFirstSd, b = x[d + 1] / kSecondSd;
    sum -= 0.5 * (a * a - 2.0 * rho * a * b + b * b) / rest;
  }
  if (dim() % 2 == 1) sum -= kRate * (kWidth - x[dim() - 1]);
  return sum;
}

Vector BorderTarget::draw_exact(double beta, Stream& stream) const {
  const double heat = 1.0 / std::sqrt(beta);
  Vector x(dim());
  for (Index d = 0; d + 1 < dim(); d += 2) {
    const double rho = correlation(d);
    do {
      const Vector normals = heat * draw_normals(stream, 2);
      x[d] = kFirstSd * normals[0];
      x[d + 1] = kSecondSd * (rho * normals[0] + std::sqrt(1.0 - rho * rho) * normals[1]);
    } while (!inside(x[d]) || !inside(x[d + 1]));
  }
  if (dim() % 2 == 1) {  // inversion of a truncated exponential
    const double rate = beta * kRate;
    x[dim() - 1] = kWidth + std::log1p(draw_uniform(stream) * std::expm1(-rate * kWidth)) / rate;
  }
  return x;
}

Truth BorderTarget::truth() const {
  std::vector<MarginalTruth> marginals;
  double log_evidence = 0.0;
  for (Index d = 0; d + 1 < dim(); d += 2) {
    const double rho = correlation(d);
    marginals.push_back(
        integrate_marginal([rho](double x) { return pair_marginal(x, kFirstSd, kSecondSd, rho); }, 0.0, kWidth));
    log_evidence +=
        std::log(marginals.back().mass * 2.0 * std::numbers::pi * kFirstSd * kSecondSd) + 0.5 * std::log1p(-rho * rho);
    marginals.push_back(
        integrate_marginal([rho](double x) { return pair_marginal(x, kSecondSd, kFirstSd, rho); }, 0.0, kWidth));
  }
  if (dim() % 2 == 1) {
    marginals.push_back(integrate_marginal([](double x) { return std::exp(-kRate * (kWidth - x)); }, 0.0, kWidth));
    log_evidence += std::log(marginals.back().mass);
  }
  return truth_from_marginals(log_evidence, marginals);
}

}  // namespace ta2s2
