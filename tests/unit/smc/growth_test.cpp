#include "ta2s2/smc/growth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Uneven weights, a third of them zero, the first and the last among these.
Vector some_weights(Index count) {
  Stream stream({5, Purpose::move, 0, 0, 1});
  Vector weights(count);
  for (Index i = 0; i < count; ++i) weights[i] = i % 3 == 0 ? 0.0 : std::pow(draw_exponential(stream), 3);
  weights[count - 1] = 0.0;
  return weights / weights.sum();
}

std::vector<double> times_started(const ChainPlan& plan, Index num_points) {
  std::vector<double> times(static_cast<std::size_t>(num_points), 0.0);
  for (const Index start : plan.starts) times[static_cast<std::size_t>(start)] += 1.0;
  return times;
}

Stream resampling(std::uint64_t seed) {
  return Stream({seed, Purpose::resample, 1, 0, 0});
}

TEST(EqualGrowth, HasChainsOfOneLengthThatHoldAtLeastN) {
  Stream stream = resampling(1);
  const ChainPlan plan = grow(Growth::equal, some_weights(300), 1001, 10, stream);
  EXPECT_EQ(plan.starts.size(), 101u);  // M = ceil(N / P)
  EXPECT_EQ(plan.lengths, std::vector<Index>(101, 10));
}

TEST(EqualGrowth, SystematicCountsAreWithinOneOfTheirExpectation) {
  const Vector weights = some_weights(300);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Stream stream = resampling(seed);
    const ChainPlan plan = grow(Growth::equal, weights, 2000, 10, stream);
    const auto times = times_started(plan, 300);
    for (Index i = 0; i < 300; ++i) {
      const double expected = 200.0 * weights[i];
      const double count = times[static_cast<std::size_t>(i)];
      EXPECT_LT(std::abs(count - expected), 1.0 + 1e-9) << "seed " << seed << ", point " << i;
      if (weights[i] > 0.0) continue;
      EXPECT_EQ(count, 0.0) << "seed " << seed << ", point " << i;
    }
  }
}

// Unbiased: the mean count over seeds is M w. A count is one of two neighbouring integers, so its variance is
// at most 1/4; 300 points at 5.2 sds each is a family-wise 6e-5.
TEST(EqualGrowth, SystematicCountsAreUnbiased) {
  const Vector weights = some_weights(300);
  constexpr int kSeeds = 2000;
  std::vector<double> sums(300, 0.0);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Stream stream = resampling(seed);
    const auto times = times_started(grow(Growth::equal, weights, 200, 1, stream), 300);
    for (std::size_t i = 0; i < 300; ++i) sums[i] += times[i];
  }
  for (Index i = 0; i < 300; ++i) {
    EXPECT_NEAR(sums[static_cast<std::size_t>(i)] / kSeeds, 200.0 * weights[i], 5.2 * 0.5 / std::sqrt(kSeeds)) << i;
  }
}

TEST(TmcmcGrowth, LengthsAreDrawnByWeightAndSumToN) {
  const Vector weights = some_weights(300);
  constexpr Index kN = 100000;
  Stream stream = resampling(3);
  const ChainPlan plan = grow(Growth::tmcmc, weights, kN, 10, stream);
  EXPECT_EQ(std::accumulate(plan.lengths.begin(), plan.lengths.end(), Index{0}), kN);
  ASSERT_EQ(plan.starts.size(), plan.lengths.size());
  double previous = -1.0;
  for (std::size_t c = 0; c < plan.starts.size(); ++c) {
    EXPECT_GT(plan.starts[c], previous);  // each marker starts at most one chain
    previous = static_cast<double>(plan.starts[c]);
    const double w = weights[plan.starts[c]];
    EXPECT_GT(w, 0.0);
    EXPECT_GT(plan.lengths[c], 0);
    // Binomial(N, w), at 5.2 sds plus one for the small ones that are Poisson rather than normal.
    const double expected = static_cast<double>(kN) * w;
    EXPECT_NEAR(static_cast<double>(plan.lengths[c]), expected, 5.2 * std::sqrt(expected) + 5.0);
  }
}

TEST(Growth, OnePointWithAllTheWeightStartsEverything) {
  Vector weights = Vector::Zero(5);
  weights[3] = 1.0;
  Stream a = resampling(4), b = resampling(4);
  EXPECT_EQ(grow(Growth::equal, weights, 40, 10, a).starts, std::vector<Index>(4, 3));
  const ChainPlan tmcmc = grow(Growth::tmcmc, weights, 40, 10, b);
  EXPECT_EQ(tmcmc.starts, std::vector<Index>{3});
  EXPECT_EQ(tmcmc.lengths, std::vector<Index>{40});
}

TEST(Growth, RoundingInTheWeightsNeverRunsPastTheEnd) {
  // Sums to a little less than one, as normalised weights may.
  Vector weights = Vector::Constant(1000, (1.0 - 1e-12) / 999.0);
  weights[999] = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream a = resampling(seed), b = resampling(seed);
    EXPECT_LT(grow(Growth::equal, weights, 5000, 1, a).starts.back(), 999);
    EXPECT_LT(grow(Growth::tmcmc, weights, 5000, 1, b).starts.back(), 999);
  }
}

TEST(DefaultChainLength, IsLongerInMoreDimensionsAndLeavesEnoughChains) {
  EXPECT_LE(default_chain_length(2, 5000), default_chain_length(5, 5000));
  EXPECT_LE(default_chain_length(5, 5000), default_chain_length(11, 5000));
  for (const Index dim : {1, 3, 4, 6, 7, 30}) {
    for (const Index n : {1, 29, 30, 100, 500, 2000, 100000}) {
      const Index length = default_chain_length(dim, n);
      EXPECT_GE(length, 1);
      EXPECT_GE((n + length - 1) / length, std::min<Index>(n, kMinChains)) << dim << ' ' << n;
    }
  }
}

Population two_groups() {
  Population markers;
  markers.positions = Matrix::Zero(1, 6);
  markers.chain_begin = {0, 2, 4, 6};
  markers.group_begin = {0, 2, 3};
  return markers;
}

TEST(GrowInGroups, DrawsEachGroupsStartsFromThatGroup) {
  const Vector weights{{0.1, 0.0, 0.1, 0.0, 0.5, 0.3}};
  for (const Growth growth : {Growth::equal, Growth::tmcmc}) {
    Stream stream = resampling(7);
    const ChainPlan plan = grow_in_groups(growth, weights, two_groups(), 1000, 5, stream);
    ASSERT_EQ(plan.group_begin.size(), 3u);
    ASSERT_EQ(plan.group_begin[2], static_cast<Index>(plan.starts.size()));
    Index states[2] = {0, 0};
    for (std::size_t c = 0; c < plan.starts.size(); ++c) {
      const bool second = static_cast<Index>(c) >= plan.group_begin[1];
      EXPECT_EQ(plan.starts[c] >= 4, second) << c;
      states[second] += plan.lengths[c];
    }
    EXPECT_EQ(states[0], 500);  // whatever the groups weigh
    EXPECT_EQ(states[1], 500);
  }
}

TEST(GrowInGroups, AGroupWithoutWeightStartsFromTheOthers) {
  const Vector weights{{0.0, 0.0, 0.0, 0.0, 0.5, 0.5}};
  Stream stream = resampling(8);
  const ChainPlan plan = grow_in_groups(Growth::equal, weights, two_groups(), 100, 5, stream);
  EXPECT_EQ(plan.group_begin, (std::vector<Index>{0, 10, 20}));
  for (const Index start : plan.starts) EXPECT_GE(start, 4);
}

}  // namespace
}  // namespace ta2s2
