#include "ta2s2/sample.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

TEST(Energy, TempersOnlyItsSecondPart) {
  const Energy energy{2.0, 3.0, Impossible::no};
  EXPECT_EQ(energy.at(0.0), 2.0);
  EXPECT_EQ(energy.at(0.5), 3.5);
  EXPECT_EQ(energy.total(), 5.0);
}

TEST(Energy, OfAnImpossiblePointIsInfiniteAtEveryTemperature) {
  const Energy energy = Energy::impossible(Impossible::not_positive_definite);
  EXPECT_FALSE(energy.possible());
  EXPECT_EQ(energy.reason, Impossible::not_positive_definite);
  EXPECT_EQ(energy.at(0.0), kInfinity);  // the plain formula has 0 * inf here, a NaN
  EXPECT_EQ(energy.at(1.0), kInfinity);
}

TEST(Energy, IsImpossibleUntilSet) {
  EXPECT_FALSE(Energy{}.possible());
}

}  // namespace
}  // namespace ta2s2
