// Decaying: half-Cauchy on the length-scale l = sqrt(v), our reading of Andrianakis and Challenor (2011).
// f(l) = 2 / (pi (1 + l^2)) and dl/dv = 1 / (2 sqrt(v)) give f(v) = 1 / (pi sqrt(v) (1 + v)).
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"

namespace ta2s2 {

namespace {

class Decaying final : public ScalarPrior {
 public:
  std::string spec() const override { return "decaying"; }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return -std::log(std::numbers::pi) - 0.5 * std::log(v) - std::log1p(v);
  }

  double log_density_slope(double v) const override { return -0.5 - v / (1.0 + v); }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : 2.0 / std::numbers::pi * std::atan(std::sqrt(v)); }

  double quantile(double probability) const override {
    if (probability >= 1.0) return kInfinity;
    const double length_scale = std::tan(0.5 * std::numbers::pi * probability);
    return length_scale * length_scale;
  }
};

}  // namespace

std::unique_ptr<ScalarPrior> make_decaying_prior() {
  return std::make_unique<Decaying>();
}

}  // namespace ta2s2
