// Small samples of results: order statistics, intervals, paired differences.
#pragma once

#include <span>
#include <vector>

namespace ta2s2 {

// Linear between order statistics (Hyndman and Fan's type 7), 0 <= level <= 1, at least one value.
double sample_quantile(std::vector<double> values, double level);

struct MeanInterval {
  double mean = 0.0;
  double half_width = 0.0;  // of the central interval; infinite with a single value
};

// Student's t interval of a mean; at least one value.
MeanInterval t_interval(std::span<const double> values, double level = 0.95);

double binomial_error(double share, double trials);

}  // namespace ta2s2
