// Densities of one natural parameter v > 0; gp/prior.cpp names them for the user.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ta2s2/gp/prior.hpp"

namespace ta2s2 {

// Proper on its own.
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

std::unique_ptr<ScalarPrior> make_exponential_prior(double rate);
std::unique_ptr<ScalarPrior> make_gamma_prior(double shape, double rate);
std::unique_ptr<ScalarPrior> make_log_normal_prior(double mean, double sd);          // of log v
std::unique_ptr<ScalarPrior> make_log_laplace_prior(double location, double scale);  // of log v
std::unique_ptr<ScalarPrior> make_decaying_prior();
std::unique_ptr<ScalarPrior> make_log_uniform_prior(double low, double high);
std::unique_ptr<ScalarPrior> make_uniform_prior(double low, double high);
std::unique_ptr<ScalarPrior> make_beta_prior(double a, double b);

// The makers of each density of a block of z; gp/prior.cpp names them for the user.

// How a coordinate z stands for its natural parameter v.
enum class Coordinate { log_phi, nugget };

// One coordinate: a density of its natural parameter, truncated to an interval of z.
struct ScalarOnBox {
  std::shared_ptr<const ScalarPrior> density;
  Coordinate coordinate = Coordinate::log_phi;
  Interval box;
};

std::unique_ptr<Prior> make_product_prior(std::string spec, std::vector<ScalarOnBox> parts);
std::unique_ptr<Prior> make_jointly_robust_prior(std::string spec, Index num_runs, Index num_inputs, Interval box);
std::unique_ptr<Prior> make_sparse_jointly_robust_prior(std::string spec, Index num_runs, Index num_inputs,
                                                        Interval box);

std::unique_ptr<Prior> make_reference_prior(Index num_inputs, InformationOver over);

}  // namespace ta2s2
