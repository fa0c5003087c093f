// Uniform: f(v) = 1 / (high - low) between low and high.
#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class Uniform final : public ScalarPrior {
 public:
  Uniform(double low, double high) : low_(low), high_(high) {
    require_positive(high - low, "high - low of uniform(low,high)");
  }

  std::string spec() const override { return format_spec("uniform", {low_, high_}); }

  double log_density(double v) const override { return v < low_ || v > high_ ? -kInfinity : -std::log(high_ - low_); }

  double log_density_slope(double) const override { return 0.0; }

  double cdf(double v) const override { return std::clamp((v - low_) / (high_ - low_), 0.0, 1.0); }
  double quantile(double probability) const override { return low_ + probability * (high_ - low_); }

 private:
  double low_, high_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_uniform_prior(double low, double high) {
  return std::make_unique<Uniform>(low, high);
}

}  // namespace ta2s2
