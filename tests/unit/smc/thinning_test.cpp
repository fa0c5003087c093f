#include "ta2s2/smc/sampler_result.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

Stream stream_number(std::uint64_t number) {
  return Stream({1, Purpose::thinning, 0, number, 0});
}

// Log-normal weights: a few are far heavier than the rest.
Vector uneven_weights(Index count) {
  Stream stream({2, Purpose::move, 0, 0, 0});
  Vector weights(count);
  for (double& weight : weights) weight = std::exp(1.5 * draw_normal(stream));
  return weights / weights.sum();
}

TEST(Thin, KeepsAllIfThereAreNoMore) {
  Stream stream = stream_number(0);
  const Vector weights{{0.5, 0.3, 0.2}};
  const ThinnedDraws thinned = thin(weights, 3, stream);
  EXPECT_THAT(thinned.kept, testing::ElementsAre(0, 1, 2));
  EXPECT_EQ(thinned.weights, weights);
}

// 0.6 stays: the other four weigh 0.4, for two places of 0.2 each. 0.25 > 0.2 stays too: one place of 0.15 is left for
// three draws of 0.05.
TEST(Thin, LeavesHeavyDrawsAsTheyAre) {
  const Vector weights{{0.05, 0.6, 0.05, 0.25, 0.05}};
  for (std::uint64_t number = 0; number < 20; ++number) {
    Stream stream = stream_number(number);
    const ThinnedDraws thinned = thin(weights, 3, stream);
    ASSERT_EQ(thinned.kept.size(), 3u);
    EXPECT_THAT(thinned.kept, testing::IsSupersetOf({1, 3}));
    for (std::size_t i = 0; i < 3; ++i) {
      const Index draw = thinned.kept[i];
      EXPECT_NEAR(thinned.weights[static_cast<Index>(i)], draw == 1 ? 0.6 : draw == 3 ? 0.25 : 0.15, 1e-12);
    }
  }
}

// As of an average over models of which the runs speak against one: 200 draws weigh all but 1e-17, or all, and 256 are
// asked for.
TEST(Thin, TakesDrawsThatWeighNextToNothing) {
  for (const double light : {1e-10, 1e-17, 1e-300, 0.0}) {
    Vector weights = Vector::Constant(400, light / 200.0);
    weights.head(200) = uneven_weights(200);
    weights /= weights.sum();
    Stream stream = stream_number(7);
    const ThinnedDraws thinned = thin(weights, 256, stream);
    ASSERT_EQ(thinned.kept.size(), light > 0.0 ? 256u : 200u) << light;
    EXPECT_EQ(std::adjacent_find(thinned.kept.begin(), thinned.kept.end()), thinned.kept.end());
    EXPECT_NEAR((thinned.weights.head(200) - weights.head(200)).cwiseAbs().maxCoeff(), 0.0, 1e-12);
    EXPECT_NEAR(thinned.weights.tail(thinned.weights.size() - 200).sum(), light, 1e-9 * light);
  }
}

TEST(Thin, KeepsAsManyAsAskedForAndNoneTwice) {
  const Vector weights = uneven_weights(500);
  for (const Index count : {1, 2, 17, 100, 499}) {
    Stream stream = stream_number(static_cast<std::uint64_t>(count));
    const ThinnedDraws thinned = thin(weights, count, stream);
    ASSERT_EQ(static_cast<Index>(thinned.kept.size()), count);
    EXPECT_TRUE(std::is_sorted(thinned.kept.begin(), thinned.kept.end()));
    EXPECT_EQ(std::adjacent_find(thinned.kept.begin(), thinned.kept.end()), thinned.kept.end());
    EXPECT_NEAR(thinned.weights.sum(), 1.0, 1e-12);
  }
}

// The mean over many thinnings of a draw's weight (none if it was not kept) is the weight it had. One thinning's weight
// is w with probability one, or c with probability w / c: variance w (c - w) at most c^2 / 4. c is below 1 / 20 here.
// 50 draws, 4000 thinnings: the largest of 50 deviations is below 4.5 standard errors but for once in 3000.
TEST(Thin, ExpectedWeightsAreTheGivenOnes) {
  const Vector weights = uneven_weights(50);
  Vector mean = Vector::Zero(50), kept_as_they_were = Vector::Zero(50);
  constexpr int kTimes = 4000;
  for (int time = 0; time < kTimes; ++time) {
    Stream stream = stream_number(static_cast<std::uint64_t>(time));
    const ThinnedDraws thinned = thin(weights, 20, stream);
    double sum = 0.0;
    for (const Index draw : thinned.kept) sum += weights[draw];
    for (std::size_t i = 0; i < thinned.kept.size(); ++i) {
      mean[thinned.kept[i]] += thinned.weights[static_cast<Index>(i)] / kTimes;
      kept_as_they_were[thinned.kept[i]] += weights[thinned.kept[i]] / sum / kTimes;
    }
  }
  const double tolerance = 4.5 * 0.5 / 20.0 / std::sqrt(static_cast<double>(kTimes));
  EXPECT_LT((mean - weights).cwiseAbs().maxCoeff(), tolerance);
  // The mutant: draws that were kept keep their old weights, as if the lost ones had weighed nothing.
  EXPECT_GT((kept_as_they_were - weights).cwiseAbs().maxCoeff(), tolerance);
}

}  // namespace
}  // namespace ta2s2
