// Log-uniform: log v is uniform between log(low) and log(high).
#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/scalar_priors.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

class LogUniform final : public ScalarPrior {
 public:
  LogUniform(double low, double high) : low_(low), high_(high) {
    require_positive(low, "the low end of log-uniform(low,high)");
    require_positive(high - low, "high - low of log-uniform(low,high)");
    log_low_ = std::log(low);
    log_width_ = std::log(high) - log_low_;
    log_constant_ = -std::log(log_width_);
  }

  std::string spec() const override { return format_spec("log-uniform", {low_, high_}); }

  double log_density(double v) const override {
    return v < low_ || v > high_ ? -kInfinity : log_constant_ - std::log(v);
  }

  double log_density_of_log(double log_v) const override {
    return log_v < log_low_ || log_v > log_low_ + log_width_ ? -kInfinity : log_constant_ - log_v;
  }

  double log_density_slope(double) const override { return -1.0; }

  double cdf(double v) const override {
    return v <= low_ ? 0.0 : std::min(1.0, (std::log(v) - std::log(low_)) / log_width_);
  }

  double quantile(double probability) const override { return low_ * std::exp(probability * log_width_); }

 private:
  double low_, high_, log_low_, log_width_, log_constant_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_log_uniform_prior(double low, double high) {
  return std::make_unique<LogUniform>(low, high);
}

}  // namespace ta2s2
