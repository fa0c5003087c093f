#include "ta2s2/report/detail/binomial_band.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace ta2s2::detail {

double binomial_cdf(Index n, double p, Index count) {
  if (count < 0) return 0.0;
  return boost::math::cdf(boost::math::binomial(static_cast<double>(n), p), static_cast<double>(std::min(count, n)));
}

CountBand binomial_band(Index n, double p, double level) {
  const double cut = 0.5 * (1.0 - level);
  CountBand band{0, n};
  while (band.low < n && binomial_cdf(n, p, band.low) < cut) ++band.low;
  while (band.high > 0 && 1.0 - binomial_cdf(n, p, band.high - 1) < cut) --band.high;
  return band;
}

}  // namespace ta2s2::detail
