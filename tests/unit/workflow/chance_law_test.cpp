#include "ta2s2/workflow/chance_law.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

// P(X = k) of ten fair coins is 1, 10, 45, 120, ... of 1024.
TEST(CountLaw, CutsAtMostItsShareOffEachEnd) {
  const CountLaw coins = CountLaw::binomial(10, 0.5);
  EXPECT_NEAR(coins.at_most(1), 11.0 / 1024.0, 1e-14);
  EXPECT_NEAR(coins.at_least(9), 11.0 / 1024.0, 1e-14);
  EXPECT_EQ(coins.at_most(-1), 0.0);
  const CountBand band = coins.band(0.95);  // 11/1024 < 0.025 < 56/1024
  EXPECT_EQ(band.low, 2);
  EXPECT_EQ(band.high, 8);
}

TEST(CountLaw, MayReachAllAndNothing) {
  EXPECT_EQ(CountLaw::binomial(12, 0.95).band(0.95).high, 12);
  EXPECT_EQ(CountLaw::binomial(12, 0.05).band(0.95).low, 0);
}

TEST(CountLaw, CountsWhatWasSimulated) {
  std::vector<Index> counts(99, 5);
  counts[0] = 1;
  counts[1] = 2;
  counts[2] = 9;
  const CountLaw law = CountLaw::simulated(20, counts, 10);  // shares of 20: 2, 4, 10 (often), 18
  EXPECT_DOUBLE_EQ(law.at_most(1), 0.01);
  EXPECT_DOUBLE_EQ(law.at_most(2), 0.02);
  EXPECT_DOUBLE_EQ(law.at_most(3), 0.02);
  EXPECT_DOUBLE_EQ(law.at_least(19), 0.01);
  EXPECT_DOUBLE_EQ(law.at_least(18), 0.02);
  EXPECT_EQ(law.band(0.95).low, 4);
  EXPECT_EQ(law.band(0.95).high, 10);
}

TEST(ChanceLaw, SimulatedIsWiderWhereRunsMoveTogether) {
  // Four runs whose PITs are all the same, uniform over the replicates.
  Matrix pits(4, 1000);
  for (Index r = 0; r < pits.cols(); ++r) pits.col(r).setConstant((static_cast<double>(r) + 0.5) / 1000.0);
  const PitRange half = central_range(0.5);
  EXPECT_NEAR(ChanceLaw(pits).of(4, half).at_most(0), 0.5, 0.001);
  EXPECT_NEAR(ChanceLaw().of(4, half).at_most(0), 1.0 / 16.0, 1e-12);
}

}  // namespace
}  // namespace ta2s2
