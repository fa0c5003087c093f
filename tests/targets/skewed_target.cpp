#include "targets/skewed_target.hpp"

#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

constexpr double kLow = -40.0, kHigh = 10.0;

Vector shapes_for(Index dim) {
  Vector shapes(dim);
  for (Index d = 0; d < dim; ++d) shapes[d] = 20.0 + 5.0 * static_cast<double>(d % 4);
  return shapes;
}

}  // namespace

SkewedTarget::SkewedTarget(Index dim)
    : BoxTarget(Vector::Constant(dim, kLow), Vector::Constant(dim, kHigh)), shapes_(shapes_for(dim)) {}

double SkewedTarget::log_density(VectorView x) const {
  double sum = 0.0;
  for (Index d = 0; d < dim(); ++d) sum += shapes_[d] * x[d] - std::exp(x[d]);
  return sum;
}

Vector SkewedTarget::draw_exact(double beta, Stream& stream) const {
  Vector x(dim());
  for (Index d = 0; d < dim(); ++d) {
    do {
      x[d] = std::log(draw_gamma(stream, beta * shapes_[d]) / beta);
    } while (x[d] < kLow || x[d] > kHigh);
  }
  return x;
}

Truth SkewedTarget::truth() const {
  std::vector<MarginalTruth> marginals;
  double log_evidence = 0.0;
  for (Index d = 0; d < dim(); ++d) {
    const double a = shapes_[d], log_constant = std::lgamma(a);
    const auto density = [&](double x) { return std::exp(a * x - std::exp(x) - log_constant); };
    marginals.push_back(integrate_marginal(density, kLow, kHigh));
    log_evidence += log_constant + std::log(marginals.back().mass);
  }
  return truth_from_marginals(log_evidence, marginals);
}

}  // namespace ta2s2
