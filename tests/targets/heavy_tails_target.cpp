#include "targets/heavy_tails_target.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

constexpr double kHalfWidth = 30.0;
constexpr double kFreedom = 3.0;
constexpr double kPower = 0.5 * (kFreedom + 1.0);  // density (1 + t^2 / 3)^-2
constexpr std::array<double, 3> kLocations = {0.0, 0.5, -1.0};
constexpr std::array<double, 3> kScales = {1.0, 0.7, 1.5};
const double kKnee = std::sqrt(kFreedom);

double location(Index d) {
  return kLocations[static_cast<std::size_t>(d % 3)];
}

double scale(Index d) {
  return kScales[static_cast<std::size_t>(d % 3)];
}

double log_constant(Index d) {
  return std::lgamma(kPower) - std::lgamma(0.5 * kFreedom) - 0.5 * std::log(kFreedom * std::numbers::pi) -
         std::log(scale(d));
}

// A tail t^(-exponent) on [knee, end], its height 1 at the knee.
struct PowerTail {
  double end, exponent;

  bool is_logarithmic() const { return std::abs(1.0 - exponent) < 1e-9; }
  double mass() const {
    if (is_logarithmic()) return kKnee * std::log(end / kKnee);
    return kKnee * (std::pow(end / kKnee, 1.0 - exponent) - 1.0) / (1.0 - exponent);
  }
  double quantile(double u) const {
    if (is_logarithmic()) return kKnee * std::pow(end / kKnee, u);
    const double reach = std::pow(end / kKnee, 1.0 - exponent) - 1.0;
    return kKnee * std::pow(1.0 + u * reach, 1.0 / (1.0 - exponent));
  }
};

// Rejection from min(1, (t^2 / 3)^-k), which is at least (1 + t^2 / 3)^-k and at most 2^k times that.
double draw_standard(double k, double low, double high, Stream& stream) {
  const PowerTail left{-low, 2.0 * k}, right{high, 2.0 * k};
  const std::array<double, 3> masses = {left.mass(), 2.0 * kKnee, right.mass()};
  for (;;) {
    const Index part = draw_categorical(stream, masses);
    const double u = draw_uniform(stream);
    const double t = part == 0 ? -left.quantile(u) : part == 1 ? kKnee * (2.0 * u - 1.0) : right.quantile(u);
    const double square = t * t / kFreedom;
    const double envelope = std::pow(std::max(square, 1.0), -k);
    if (draw_uniform(stream) * envelope < std::pow(1.0 + square, -k)) return t;
  }
}

}  // namespace

HeavyTailsTarget::HeavyTailsTarget(Index dim)
    : BoxTarget(Vector::Constant(dim, -kHalfWidth), Vector::Constant(dim, kHalfWidth)) {}

double HeavyTailsTarget::log_density(VectorView x) const {
  double product = 1.0;  // at most 1e3 for each of a few coordinates: one logarithm for all
  for (Index d = 0; d < dim(); ++d) {
    const double t = (x[d] - location(d)) / scale(d);
    product *= 1.0 + t * t / kFreedom;
  }
  return -kPower * std::log(product);
}

Vector HeavyTailsTarget::draw_exact(double beta, Stream& stream) const {
  Vector x(dim());
  for (Index d = 0; d < dim(); ++d) {
    const double low = (-kHalfWidth - location(d)) / scale(d), high = (kHalfWidth - location(d)) / scale(d);
    x[d] = location(d) + scale(d) * draw_standard(beta * kPower, low, high, stream);
  }
  return x;
}

Truth HeavyTailsTarget::truth() const {
  std::vector<MarginalTruth> marginals;
  double log_evidence = 0.0;
  for (Index d = 0; d < dim(); ++d) {
    const auto density = [d](double x) {
      const double t = (x - location(d)) / scale(d);
      return std::exp(log_constant(d)) * std::pow(1.0 + t * t / kFreedom, -kPower);
    };
    marginals.push_back(integrate_marginal(density, -kHalfWidth, kHalfWidth));
    log_evidence += std::log(marginals.back().mass) - log_constant(d);
  }
  return truth_from_marginals(log_evidence, marginals);
}

}  // namespace ta2s2
