// Log-normal: log v ~ N(mean, sd^2).
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class LogNormal final : public ScalarPrior {
 public:
  LogNormal(double mean, double sd) : mean_(mean), sd_(sd) { require_positive(sd, "the sd of log-normal(mean,sd)"); }

  std::string spec() const override { return format_spec("log-normal", {mean_, sd_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    const double score = (std::log(v) - mean_) / sd_;
    return -0.5 * score * score - std::log(v * sd_) - 0.5 * std::log(2.0 * std::numbers::pi);
  }

  double log_density_slope(double v) const override { return -(std::log(v) - mean_) / (sd_ * sd_) - 1.0; }

  double cdf(double v) const override {
    return v <= 0.0 ? 0.0 : 0.5 * std::erfc((mean_ - std::log(v)) / (sd_ * std::numbers::sqrt2));
  }

  double quantile(double probability) const override {
    if (probability <= 0.0) return 0.0;
    if (probability >= 1.0) return kInfinity;
    return std::exp(mean_ - sd_ * std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * probability));
  }

 private:
  double mean_, sd_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_log_normal_prior(double mean, double sd) {
  return std::make_unique<LogNormal>(mean, sd);
}

}  // namespace ta2s2
