#include "ta2s2/emulator/effective_sample_size.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ta2s2/base/error.hpp"
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
    EXPECT_NEAR(ess_from_chains(autoregressive_chains(rho, 10, 2000)), expected, 0.13 * expected) << rho;
  }
}

// By hand: chain means 1 and 3, grand mean 2; variance of the mean (2/1)/2 = 1; mean square about 2 is 2,
// plus 1.
TEST(EssFromChains, OfASmallTable) {
  Matrix values(2, 2);
  values << 0.0, 2.0, 2.0, 4.0;
  EXPECT_DOUBLE_EQ(ess_from_chains(values), 3.0);
}

TEST(EssFromChains, DoesNotDependOnUnits) {
  const Matrix values = autoregressive_chains(0.5, 10, 50);
  const Matrix rescaled = (values.array() * 1e6 - 3e7).matrix();
  EXPECT_NEAR(ess_from_chains(rescaled) / ess_from_chains(values), 1.0, 1e-9);
}

TEST(EssFromChains, OfAConstantIsTheCount) {
  EXPECT_EQ(ess_from_chains(Matrix::Constant(5, 4, 2.5)), 20.0);
}

TEST(EssFromChains, NeedsTwoChains) {
  EXPECT_THROW(ess_from_chains(Matrix::Zero(5, 1)), Error);
}

// numpy 1.24: ch = hstack([v[:2], v[-2:]]); sqrt(1/2 + ch.mean(0).var(ddof=1) / ch.var(0, ddof=1).mean()).
TEST(SplitRHat, AgreesWithNumpy) {
  Matrix values(5, 3);
  values << 1, 2, 0, 3, 1, 2, 2, 4, 1, 5, 3, 2, 1, 0, 3;
  EXPECT_NEAR(split_r_hat(values), 0.828078671210825, 1e-14);
}

// Between-half variance over within, for 200 halves of 500 independent states: 1 + (1/500) (1 +- 0.4) -
// 1/500.
TEST(SplitRHat, IsOneForMixedChainsAndNotForShiftedOrDriftingOnes) {
  Matrix values = autoregressive_chains(0.0, 1000, 100);
  EXPECT_NEAR(split_r_hat(values), 1.0, 1e-3);
  Matrix shifted = values;
  shifted.col(0).array() += 10.0;
  EXPECT_GT(split_r_hat(shifted), 1.1);
  Matrix drifting = values;
  drifting.bottomRows(500).array() += 1.0;
  EXPECT_GT(split_r_hat(drifting), 1.1);
}

TEST(SplitRHat, OfConstantChains) {
  EXPECT_EQ(split_r_hat(Matrix::Constant(6, 2, 1.0)), 1.0);
  EXPECT_THROW(split_r_hat(Matrix::Zero(3, 2)), Error);
}

// By hand: means 1, 2 and 6, variance 7; variances within 2, 2 and 2.
TEST(GroupRHat, OfASmallTable) {
  const std::vector<Index> begin = {0, 2, 4, 6};
  EXPECT_DOUBLE_EQ(group_r_hat(Vector{{0.0, 2.0, 1.0, 3.0, 5.0, 7.0}}, begin), std::sqrt(1.0 + 7.0 / 2.0));
}

// B / W times the draws of a group is chi-square over its degrees of freedom, 999 for as many groups and one: relative
// sd sqrt(2 / 999) = 4.5%; four of them. States of AR(1) chains are worth fewer draws, and R-hat says how many.
TEST(GroupRHat, SaysHowManyDrawsAGroupIsWorth) {
  constexpr Index kStates = 50, kGroups = 1000;
  std::vector<Index> begin;
  for (Index g = 0; g <= kGroups; ++g) begin.push_back(g * kStates);
  for (const double rho : {0.0, 0.5}) {
    const Matrix values = autoregressive_chains(rho, kStates, kGroups);
    const double r_hat = group_r_hat(Eigen::Map<const Vector>(values.data(), values.size()), begin);
    // The variance within lacks that of the group's own mean.
    const double draws = autoregressive_ess(rho, kStates, 1);
    const double within = (1.0 - 1.0 / draws) * kStates / (kStates - 1.0);
    EXPECT_NEAR((r_hat * r_hat - 1.0) * within * draws, 1.0, 0.18) << rho;
  }
}

TEST(GroupRHat, OfConstantGroupsIsFinite) {
  const std::vector<Index> begin = {0, 2, 4};
  EXPECT_EQ(group_r_hat(Vector{{1.0, 1.0, 1.0, 1.0}}, begin), 1.0);
  EXPECT_EQ(group_r_hat(Vector{{1.0, 1.0, 2.0, 2.0}}, begin), kLargestRHat);
}

TEST(GroupRHat, NeedsTwoGroupsOfTwo) {
  const Vector values = Vector::LinSpaced(4, 0.0, 1.0);
  EXPECT_THROW(group_r_hat(values, std::vector<Index>{0, 4}), Error);
  EXPECT_THROW(group_r_hat(values, std::vector<Index>{0, 3, 4}), Error);
}

TEST(ErrorFromGroups, IsThatOfTheirMean) {
  EXPECT_FALSE(error_from_groups(std::vector<double>{}).has_value());
  EXPECT_FALSE(error_from_groups(std::vector<double>{3.0}).has_value());
  EXPECT_DOUBLE_EQ(error_from_groups(std::vector<double>{1.0, 3.0}).value(), 1.0);  // sd sqrt(2), over sqrt(2)
}

}  // namespace
}  // namespace ta2s2
