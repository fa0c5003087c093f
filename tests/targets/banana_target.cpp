#include "targets/banana_target.hpp"

#include <cmath>
#include <numbers>

#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

constexpr double kCurvature = 0.5;  // c
constexpr double kRidgeSd = 0.5;    // s
constexpr double kSingleMean = 0.5, kSingleSd = 1.5;
constexpr double kStraightBorder = 20.0;
constexpr double kCurvedLow = -30.0, kCurvedHigh = 100.0;
const double kLogRootTwoPi = 0.5 * std::log(2.0 * std::numbers::pi);

double log_normal_density(double x, double mean, double sd) {
  const double scaled = (x - mean) / sd;
  return -0.5 * scaled * scaled - std::log(sd) - kLogRootTwoPi;
}

double ridge(double x1) {
  return kCurvature * (x1 * x1 - 1.0);
}

bool is_curved(Index d) {
  return d % 2 == 1;
}

Vector lows(Index dim) {
  Vector low = Vector::Constant(dim, -kStraightBorder);
  for (Index d = 1; d < dim; d += 2) low[d] = kCurvedLow;
  return low;
}

Vector highs(Index dim) {
  Vector high = Vector::Constant(dim, kStraightBorder);
  for (Index d = 1; d < dim; d += 2) high[d] = kCurvedHigh;
  return high;
}

// x1 integrated out: the trapezoidal rule is spectrally accurate for a density that vanishes at both ends.
double curved_marginal(double x2) {
  constexpr int kNodes = 300;
  constexpr double kReach = 9.0, kStep = 2.0 * kReach / kNodes;
  double sum = 0.0;
  for (int i = 0; i <= kNodes; ++i) {
    const double x1 = -kReach + kStep * i;
    sum += std::exp(log_normal_density(x1, 0.0, 1.0) + log_normal_density(x2, ridge(x1), kRidgeSd));
  }
  return sum * kStep;
}

}  // namespace

BananaTarget::BananaTarget(Index dim) : BoxTarget(lows(dim), highs(dim)) {}

double BananaTarget::log_density(VectorView x) const {
  double squares = 0.0, log_scales = 0.0;
  for (Index d = 0; d + 1 < dim(); d += 2) {
    const double offset = (x[d + 1] - ridge(x[d])) / kRidgeSd;
    squares += x[d] * x[d] + offset * offset;
    log_scales += std::log(kRidgeSd);
  }
  if (dim() % 2 == 1) {
    const double offset = (x[dim() - 1] - kSingleMean) / kSingleSd;
    squares += offset * offset;
    log_scales += std::log(kSingleSd);
  }
  return -0.5 * squares - log_scales - static_cast<double>(dim()) * kLogRootTwoPi;
}

Vector BananaTarget::draw_exact(double beta, Stream& stream) const {
  const double heat = 1.0 / std::sqrt(beta);
  const auto inside = [&](Index d, double value) { return value >= low()[d] && value <= high()[d]; };
  Vector x(dim());
  for (Index d = 0; d + 1 < dim(); d += 2) {
    do {
      x[d] = heat * draw_normal(stream);
      x[d + 1] = ridge(x[d]) + heat * kRidgeSd * draw_normal(stream);
    } while (!inside(d, x[d]) || !inside(d + 1, x[d + 1]));
  }
  if (dim() % 2 == 1) {
    const Index last = dim() - 1;
    do {
      x[last] = kSingleMean + heat * kSingleSd * draw_normal(stream);
    } while (!inside(last, x[last]));
  }
  return x;
}

// At beta = 1 the box loses nothing that a double could hold: the evidence is that of normalised densities.
Truth BananaTarget::truth() const {
  const MarginalTruth straight = integrate_marginal([](double x) { return std::exp(log_normal_density(x, 0.0, 1.0)); },
                                                    -kStraightBorder, kStraightBorder);
  const MarginalTruth curved = integrate_marginal(curved_marginal, kCurvedLow, kCurvedHigh);
  const MarginalTruth single =
      integrate_marginal([](double x) { return std::exp(log_normal_density(x, kSingleMean, kSingleSd)); },
                         -kStraightBorder, kStraightBorder);
  std::vector<MarginalTruth> marginals;
  for (Index d = 0; d < dim(); ++d) {
    const bool alone = d + 1 == dim() && dim() % 2 == 1;
    marginals.push_back(alone ? single : is_curved(d) ? curved : straight);
  }
  return truth_from_marginals(0.0, marginals);
}

}  // namespace ta2s2
