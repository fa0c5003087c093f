// Beta: f(v) = v^(a - 1) (1 - v)^(b - 1) / B(a, b) on (0, 1).
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

// exponent * log_base, with 0 * (-inf) = 0.
double log_power(double log_base, double exponent) {
  return exponent == 0.0 ? 0.0 : exponent * log_base;
}

class Beta final : public ScalarPrior {
 public:
  Beta(double a, double b) : a_(a), b_(b) {
    require_positive(a, "the first number of beta(a,b)");
    require_positive(b, "the second number of beta(a,b)");
    log_constant_ = boost::math::lgamma(a + b) - boost::math::lgamma(a) - boost::math::lgamma(b);
  }

  std::string spec() const override { return format_spec("beta", {a_, b_}); }

  double log_density(double v) const override {
    if (v < 0.0 || v > 1.0) return -kInfinity;
    return log_constant_ + log_power(std::log(v), a_ - 1.0) + log_power(std::log1p(-v), b_ - 1.0);
  }

  double log_density_slope(double v) const override { return a_ - 1.0 - (b_ - 1.0) * v / (1.0 - v); }
  double cdf(double v) const override { return boost::math::ibeta(a_, b_, std::clamp(v, 0.0, 1.0)); }
  double quantile(double probability) const override { return boost::math::ibeta_inv(a_, b_, probability); }

 private:
  double a_, b_, log_constant_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_beta_prior(double a, double b) {
  return std::make_unique<Beta>(a, b);
}

}  // namespace ta2s2
