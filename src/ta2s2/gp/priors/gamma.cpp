// Gamma: f(v) = rate^shape v^(shape - 1) exp(-rate v) / Gamma(shape).
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class Gamma final : public ScalarPrior {
 public:
  Gamma(double shape, double rate) : shape_(shape), rate_(rate) {
    require_positive(shape, "the shape of gamma(shape,rate)");
    require_positive(rate, "the rate of gamma(shape,rate)");
    log_constant_ = shape * std::log(rate) - boost::math::lgamma(shape);
  }

  std::string spec() const override { return format_spec("gamma", {shape_, rate_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return log_constant_ + (shape_ - 1.0) * std::log(v) - rate_ * v;
  }

  double log_density_slope(double v) const override { return shape_ - 1.0 - rate_ * v; }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : boost::math::gamma_p(shape_, rate_ * v); }

  double quantile(double probability) const override {
    return probability >= 1.0 ? kInfinity : boost::math::gamma_p_inv(shape_, probability) / rate_;
  }

 private:
  double shape_, rate_, log_constant_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_gamma_prior(double shape, double rate) {
  return std::make_unique<Gamma>(shape, rate);
}

}  // namespace ta2s2
