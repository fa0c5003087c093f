#include "ta2s2/predictive/effective_sample_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Stationary AR(1) chains with variance 1, correlation rho from state to state.
Matrix autoregressive_chains(double rho, Index states, Index chains) {
  Stream stream({.seed = 21, .purpose = Purpose::move});
  Matrix values(states, chains);
  for (Index j = 0; j < chains; ++j) {
    values(0, j) = draw_normal(stream);
    for (Index i = 1; i < states; ++i) {
      values(i, j) = rho * values(i - 1, j) + std::sqrt(1.0 - rho * rho) * draw_normal(stream);
    }
  }
  return values;
}

// Count over 1 + 2 sum_k (1 - k/P) rho^k: exact for chains of P states.
double autoregressive_ess(double rho, Index states, Index chains) {
  double factor = 1.0;
  for (Index k = 1; k < states; ++k) {
    factor +=
        2.0 * (1.0 - static_cast<double>(k) / static_cast<double>(states)) * std::pow(rho, static_cast<double>(k));
  }
  return static_cast<double>(states * chains) / factor;
}

Vector equal_weights(Index count) {
  return Vector::Constant(count, 1.0 / static_cast<double>(count));
}

// Columns are chains of equal weight.
double ess_of_columns(const Matrix& values) {
  WeightedPopulation states{{}, equal_weights(values.size()), {}};
  for (Index c = 0; c <= values.cols(); ++c) states.chain_begin.push_back(c * values.rows());
  states.chain_levels.assign(static_cast<std::size_t>(values.cols()), 0);
  return ess_from_chains(Eigen::Map<const Vector>(values.data(), values.size()), states);
}

TEST(KishEss, OfKnownWeights) {
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>(7, 0.3)), 7.0);
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{0.0, 2.0, 0.0}), 1.0);
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{1.0, 3.0}), 1.6);
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{1e-200, 3e-200}), 1.6);  // squares underflow
}

TEST(KishEss, NeedsAPositiveWeight) {
  EXPECT_THROW(kish_ess({}), Error);
  EXPECT_THROW(kish_ess(std::vector<double>{0.0, 0.0}), Error);
}

// The variance of M normal chain means has relative sd sqrt(2 / (M - 1)), 3.2% for M = 2000; four of them.
TEST(EssFromChains, IsThatOfAutoregressiveChains) {
  for (const double rho : {-0.5, 0.0, 0.5, 0.95}) {
    const double expected = autoregressive_ess(rho, 10, 2000);
    EXPECT_NEAR(ess_of_columns(autoregressive_chains(rho, 10, 2000)), expected, 0.13 * expected) << rho;
  }
}

// By hand: chain means 1 and 3, grand mean 2; variance of the mean (2/1)/2 = 1; mean square about 2 is 2,
// plus 1.
TEST(EssFromChains, OfASmallTable) {
  Matrix values(2, 2);
  values << 0.0, 2.0, 2.0, 4.0;
  EXPECT_DOUBLE_EQ(ess_of_columns(values), 3.0);
}

TEST(EssFromChains, DoesNotDependOnUnits) {
  const Matrix values = autoregressive_chains(0.5, 10, 50);
  const Matrix rescaled = (values.array() * 1e6 - 3e7).matrix();
  EXPECT_NEAR(ess_of_columns(rescaled) / ess_of_columns(values), 1.0, 1e-9);
}

TEST(EssFromChains, OfAConstantIsTheCount) {
  EXPECT_EQ(ess_of_columns(Matrix::Constant(5, 4, 2.5)), 20.0);
}

TEST(EssFromChains, OfWeightedChainsOfUnequalLength) {
  const Vector values{{1.0, 3.0, 0.0}}, weights{{0.5, 0.3, 0.2}};
  // Mean 1.4. Chain {1}: 0.5 (-0.4) = -0.2. Chain {3, 0}: 0.3 (1.6) + 0.2 (-1.4) = 0.2.
  const double variance_of_mean = (0.04 + 0.04) * 2.0 / 1.0;
  const double variance = 0.5 * 0.16 + 0.3 * 2.56 + 0.2 * 1.96;
  const WeightedPopulation states{{{}, {}, {0, 1, 3}, {}}, weights, {0, 0}};
  EXPECT_NEAR(ess_from_chains(values, states), variance / variance_of_mean + 1.0, 1e-12);
}

// Independent values with weights e^(z/2), z standard normal: the mean has the variance of Kish's number of draws, here
// E w^2 / (E w)^2 = e^(1/4) values for each. Chains of one value; relative error as above.
TEST(EssFromChains, OfIndependentWeightedValuesIsKishs) {
  Stream stream({.seed = 22, .purpose = Purpose::move});
  constexpr Index kCount = 4000;
  Vector values(kCount), weights(kCount);
  WeightedPopulation states{{{}, {}, {0}, {}}, {}, std::vector<Index>(kCount, 0)};
  for (Index i = 0; i < kCount; ++i) {
    values[i] = draw_normal(stream);
    weights[i] = std::exp(0.5 * draw_normal(stream));
    states.chain_begin.push_back(i + 1);
  }
  states.weights = weights / weights.sum();
  const double expected = kCount * std::exp(-0.25);
  EXPECT_NEAR(ess_from_chains(values, states), expected, 0.13 * expected);
}

// Two levels of two chains of one state, which the second level repeats: two witnesses, not four. The values' mean is 0
// and their variance 1; the variance of the mean is that of one level's.
TEST(EssFromChains, ChainsThatRepeatTheirParentsTellNothingNew) {
  const Vector values{{1.0, 1.0, -1.0, -1.0}};
  WeightedPopulation states{{{}, {}, {0, 1, 2, 3, 4}, {0, 2, 4}}, equal_weights(4), {0, 1, 0, 1}};
  states.parents = {0, 0, 0, 1};
  const double of_one_level = 2.0 * (0.25 * 0.25 + 0.25 * 0.25);
  EXPECT_DOUBLE_EQ(ess_from_chains(values, states), 1.0 / (4.0 * of_one_level) + 1.0);
  // The mutant: every chain a witness of its own.
  states.chain_levels = {0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(ess_from_chains(values, states), 1.0 / (4.0 / 3.0 * 4.0 * 0.25 * 0.25) + 1.0);
}

// A level that is off as a whole, as weights allow as long as another one makes up for it, has no scatter.
TEST(EssFromChains, WhatAllChainsOfALevelShareIsNoScatter) {
  const Vector values{{1.0, 1.0, -1.0, -1.0}};
  WeightedPopulation states{{{}, {}, {0, 1, 2, 3, 4}, {0, 4}}, equal_weights(4), {0, 0, 1, 1}};
  states.parents = {0, 0, 0, 1};
  EXPECT_EQ(ess_from_chains(values, states), 4.0);
}

TEST(EssFromChains, NeedsTwoChains) {
  EXPECT_THROW(ess_of_columns(Matrix::Zero(5, 1)), Error);
}

// By hand: means 1, 2 and 6, variance 7; variances within 2, 2 and 2.
TEST(GroupRHat, OfASmallTable) {
  const std::vector<Index> begin = {0, 2, 4, 6};
  EXPECT_DOUBLE_EQ(group_r_hat(Vector{{0.0, 2.0, 1.0, 3.0, 5.0, 7.0}}, equal_weights(6), begin),
                   std::sqrt(1.0 + 7.0 / 2.0));
}

// A value of weight 2 counts as two of weight 1 in the mean; the group's size is Kish's.
TEST(GroupRHat, OfWeightedGroups) {
  const Vector values{{0.0, 3.0, 1.0, 5.0}}, weights{{0.5, 0.25, 0.125, 0.125}};
  // Means 1 and 3, variance 2. Within: (2/3 1 + 1/3 4) / (1 - 5/9) = 4.5 and 4 / (1 - 1/2) = 8.
  EXPECT_DOUBLE_EQ(group_r_hat(values, weights, std::vector<Index>{0, 2, 4}), std::sqrt(1.0 + 2.0 / 6.25));
}

// B / W times the draws of a group is chi-square over its degrees of freedom, 999 for as many groups and one: relative
// sd sqrt(2 / 999) = 4.5%; four of them. States of AR(1) chains are worth fewer draws, and R-hat says how many.
TEST(GroupRHat, SaysHowManyDrawsAGroupIsWorth) {
  constexpr Index kStates = 50, kGroups = 1000;
  std::vector<Index> begin;
  for (Index g = 0; g <= kGroups; ++g) begin.push_back(g * kStates);
  for (const double rho : {0.0, 0.5}) {
    const Matrix values = autoregressive_chains(rho, kStates, kGroups);
    const double r_hat =
        group_r_hat(Eigen::Map<const Vector>(values.data(), values.size()), equal_weights(values.size()), begin);
    // The variance within lacks that of the group's own mean.
    const double draws = autoregressive_ess(rho, kStates, 1);
    const double within = (1.0 - 1.0 / draws) * kStates / (kStates - 1.0);
    EXPECT_NEAR((r_hat * r_hat - 1.0) * within * draws, 1.0, 0.18) << rho;
  }
}

TEST(GroupRHat, OfConstantGroupsIsFinite) {
  const std::vector<Index> begin = {0, 2, 4};
  EXPECT_EQ(group_r_hat(Vector{{1.0, 1.0, 1.0, 1.0}}, equal_weights(4), begin), 1.0);
  EXPECT_EQ(group_r_hat(Vector{{1.0, 1.0, 2.0, 2.0}}, equal_weights(4), begin), kLargestRHat);
}

TEST(GroupRHat, NeedsTwoGroupsOfTwo) {
  const Vector values = Vector::LinSpaced(4, 0.0, 1.0);
  EXPECT_THROW(group_r_hat(values, equal_weights(4), std::vector<Index>{0, 4}), Error);
  EXPECT_THROW(group_r_hat(values, equal_weights(4), std::vector<Index>{0, 3, 4}), Error);
}

TEST(ErrorFromGroups, IsThatOfTheirMean) {
  EXPECT_FALSE(error_from_groups(std::vector<double>{}).has_value());
  EXPECT_FALSE(error_from_groups(std::vector<double>{3.0}).has_value());
  EXPECT_DOUBLE_EQ(error_from_groups(std::vector<double>{1.0, 3.0}).value(), 1.0);  // sd sqrt(2), over sqrt(2)
}

}  // namespace
}  // namespace ta2s2
