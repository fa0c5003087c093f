// Log-Laplace: log v has density exp(-|log v - location| / scale) / (2 scale).
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class LogLaplace final : public ScalarPrior {
 public:
  LogLaplace(double location, double scale) : location_(location), scale_(scale) {
    require_positive(scale, "the scale of log-laplace(location,scale)");
  }

  std::string spec() const override { return format_spec("log-laplace", {location_, scale_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return -std::abs(std::log(v) - location_) / scale_ - std::log(2.0 * scale_ * v);
  }

  // At the location itself, where the density has its peak, the slope of the left side.
  double log_density_slope(double v) const override { return (std::log(v) > location_ ? -1.0 : 1.0) / scale_ - 1.0; }

  double cdf(double v) const override {
    if (v <= 0.0) return 0.0;
    const double score = (std::log(v) - location_) / scale_;
    return score < 0.0 ? 0.5 * std::exp(score) : 1.0 - 0.5 * std::exp(-score);
  }

  double quantile(double probability) const override {
    const double score = probability < 0.5 ? std::log(2.0 * probability) : -std::log(2.0 * (1.0 - probability));
    return std::exp(location_ + scale_ * score);
  }

 private:
  double location_, scale_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_log_laplace_prior(double location, double scale) {
  return std::make_unique<LogLaplace>(location, scale);
}

}  // namespace ta2s2
