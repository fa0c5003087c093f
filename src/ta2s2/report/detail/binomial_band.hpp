// How many of n independent successes of probability p chance allows.
#pragma once

#include "ta2s2/base/types.hpp"

namespace ta2s2::detail {

struct CountBand {
  Index low = 0, high = 0;
};

// The counts that are left when less than (1 - level)/2 is cut off at each end.
CountBand binomial_band(Index n, double p, double level);

// P(successes <= count).
double binomial_cdf(Index n, double p, Index count);

}  // namespace ta2s2::detail
