// Exponential: f(v) = rate exp(-rate v). The paper's comparison uses rate 0.2 on phi.
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class Exponential final : public ScalarPrior {
 public:
  explicit Exponential(double rate) : rate_(rate) { require_positive(rate, "the rate of exponential(rate)"); }

  std::string spec() const override { return format_spec("exponential", {rate_}); }
  double log_density(double v) const override { return v < 0.0 ? -kInfinity : std::log(rate_) - rate_ * v; }
  double log_density_slope(double v) const override { return -rate_ * v; }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : -std::expm1(-rate_ * v); }
  double quantile(double probability) const override { return -std::log1p(-probability) / rate_; }

 private:
  double rate_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_exponential_prior(double rate) {
  return std::make_unique<Exponential>(rate);
}

}  // namespace ta2s2
