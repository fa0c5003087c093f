#include "ta2s2/smc/lineage_variance.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

// A few dozen operations on numbers below one, each rounded to 1.1e-16.
constexpr double kRounding = 1e-14;

// What summing the terms' errors in quadrature would give: the mutant.
double variance_without_lineage(const std::vector<LevelExcess>& terms) {
  double variance = 0.0;
  for (const LevelExcess& term : terms) variance += level_variance(term);
  return variance;
}

TEST(LineageVariance, OfOneTermIsTheScatterOfItsChains) {
  const std::vector<LevelExcess> terms = {{{0.2, -0.1, -0.1}, {}}};
  EXPECT_NEAR(level_variance(terms[0]), (0.04 + 0.01 + 0.01) * 3.0 / 2.0, kRounding);
  EXPECT_EQ(lineage_variance(terms), level_variance(terms[0]));
}

TEST(LineageVariance, OneChainTellsNothingOfItsVariance) {
  EXPECT_EQ(level_variance({{0.0}, {}}), 0.0);
  EXPECT_EQ(lineage_variance({}), 0.0);
}

// Chains that never move repeat their parent's error at each level: three terms are off by three times as much as one.
TEST(LineageVariance, OfChainsThatForgetNothingGrowsWithTheSquareOfTheTerms) {
  const std::vector<double> excess = {0.1, -0.3, 0.2};
  const std::vector<LevelExcess> terms = {{excess, {}}, {excess, {0, 1, 2}}, {excess, {0, 1, 2}}};
  EXPECT_NEAR(lineage_variance(terms), 9.0 * level_variance(terms[0]), kRounding);
  EXPECT_NEAR(variance_without_lineage(terms), 3.0 * level_variance(terms[0]), kRounding);
}

// Two pairs of siblings that agree are two witnesses, not four, though their parents had no error to hand down.
TEST(LineageVariance, SiblingsAreNotIndependent) {
  const std::vector<LevelExcess> terms = {{{0.0, 0.0}, {}}, {{0.1, 0.1, -0.1, -0.1}, {0, 0, 1, 1}}};
  EXPECT_NEAR(lineage_variance(terms), (0.2 * 0.2 + 0.2 * 0.2) * 4.0 / 3.0, kRounding);
  EXPECT_NEAR(variance_without_lineage(terms), 4.0 * 0.01 * 4.0 / 3.0, kRounding);
}

// The first chain has three children of the four, together 0.2; the second one, -0.2; the third none.
TEST(LineageVariance, AddsUpAllChildrenOfAChain) {
  const std::vector<LevelExcess> terms = {{{0.3, -0.1, -0.2}, {}}, {{0.1, 0.2, -0.1, -0.2}, {0, 0, 0, 1}}};
  const double first = (0.09 + 0.01 + 0.04) * 3.0 / 2.0;
  const double second = (0.04 + 0.04 + 2.0 * (0.3 * 0.2 + 0.1 * 0.2)) * 4.0 / 3.0;
  EXPECT_NEAR(lineage_variance(terms), first + second, kRounding);
}

// The middle chains swapped places, so the last term's first chain descends from the first term's second. Along each
// line errors have one sign and sum to 0.4 in size.
TEST(LineageVariance, FollowsDescentThroughTwoLevels) {
  const std::vector<LevelExcess> terms = {{{0.1, -0.1}, {}}, {{-0.1, 0.1}, {1, 0}}, {{-0.2, 0.2}, {0, 1}}};
  EXPECT_NEAR(lineage_variance(terms), 2.0 * (0.16 + 0.16), kRounding);
}

TEST(LineageVariance, ForgetsAncestorsBeyondTheWindow) {
  static_assert(kLineage == 2);
  const std::vector<double> excess = {0.1, -0.1}, none = {0.0, 0.0};
  const std::vector<Index> same = {0, 1};
  const std::vector<LevelExcess> near = {{excess, {}}, {none, same}, {excess, same}};
  const std::vector<LevelExcess> far = {{excess, {}}, {none, same}, {none, same}, {excess, same}};
  EXPECT_NEAR(lineage_variance(near), 4.0 * level_variance(near[0]), kRounding);
  EXPECT_NEAR(lineage_variance(far), 2.0 * level_variance(far[0]), kRounding);
}

TEST(LineageVariance, IsNeverLessThanThatOfIndependentTerms) {
  const std::vector<LevelExcess> terms = {{{0.1, -0.1}, {}}, {{-0.1, 0.1}, {0, 1}}};
  EXPECT_EQ(lineage_variance(terms), variance_without_lineage(terms));
}

}  // namespace
}  // namespace ta2s2
