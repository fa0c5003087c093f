#include "ta2s2/report/detail/binomial_band.hpp"

#include <gtest/gtest.h>

namespace ta2s2::detail {
namespace {

// P(X = k) of ten fair coins is 1, 10, 45, 120, ... of 1024.
TEST(BinomialBand, CutsAtMostItsShareOffEachEnd) {
  EXPECT_NEAR(binomial_cdf(10, 0.5, 1), 11.0 / 1024.0, 1e-14);
  EXPECT_EQ(binomial_cdf(10, 0.5, -1), 0.0);
  const CountBand band = binomial_band(10, 0.5, 0.95);  // 11/1024 < 0.025 < 56/1024
  EXPECT_EQ(band.low, 2);
  EXPECT_EQ(band.high, 8);
}

TEST(BinomialBand, MayReachAllAndNothing) {
  EXPECT_EQ(binomial_band(12, 0.95, 0.95).high, 12);
  EXPECT_EQ(binomial_band(12, 0.05, 0.95).low, 0);
}

}  // namespace
}  // namespace ta2s2::detail
