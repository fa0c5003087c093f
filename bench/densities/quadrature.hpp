// Truths in one dimension.
#pragma once

#include <functional>

#include "ta2s2/types.hpp"

namespace ta2s2::densities {

double normal_cdf(double z);
// log Phi(z) and its derivative, for any z.
struct LogCdf {
  double value, slope;
};
LogCdf log_normal_cdf(double z);

// N(mean, sd^2) cut off at `low` and `high`.
struct TruncatedNormal {
  double mass, mean, second_moment;
};
TruncatedNormal truncated_normal(double mean, double sd, double low, double high);

// Masses of a density on an even grid, by the trapezoidal rule: for smooth densities that vanish at both ends, or are
// flat there, its error falls exponentially.
struct GridLaw {
  Vector at, mass;  // masses sum to one
  double log_evidence = 0.0;

  double expectation(const std::function<double(double)>& f) const;
  double mean() const;
  double sd() const;
};
GridLaw on_grid(const std::function<double(double)>& log_density, double low, double high);

// Where an increasing function takes a value.
double solve_increasing(const std::function<double(double)>& f, double value, double low, double high);

}  // namespace ta2s2::densities
