// A density of one natural parameter v > 0, proper on its own.
#pragma once

#include <cmath>
#include <string>

namespace ta2s2 {

class ScalarPrior {
 public:
  virtual ~ScalarPrior() = default;

  virtual std::string spec() const = 0;            // as the option spells it: "gamma(2,0.5)"
  virtual double log_density(double v) const = 0;  // with respect to v; -inf outside the support
  // log_density(exp(log_v)), for those that have it cheaper.
  virtual double log_density_of_log(double log_v) const { return log_density(std::exp(log_v)); }
  // d log_density / d log v, inside the support.
  virtual double log_density_slope(double v) const = 0;
  virtual double cdf(double v) const = 0;
  virtual double quantile(double probability) const = 0;  // probability in [0, 1]
};

}  // namespace ta2s2
