#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "ta2s2/error.hpp"
#include "ta2s2/predictive/scores.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

const std::vector<double> kWeights = {0.2, 0.5, 0.3};
const std::vector<double> kMeans = {-1.0, 0.5, 4.0};
const std::vector<double> kSds = {0.5, 1.0, 2.0};

// mpmath 1.2 at 25 digits: quad(F^2, [-60, y]) + quad((1 - F)^2, [y, 60]), F = sum w ncdf((x - m)/s).
TEST(NormalMixtureCrps, AgreesWithMpmath) {
  const std::vector<std::pair<double, double>> truths = {
      {-3.0, 2.9943953135241065}, {1.0, 0.52723136542001099}, {9.0, 6.4966701910668468}};
  for (const auto& [y, crps] : truths) {
    EXPECT_NEAR(normal_mixture_crps_by_pairs(kWeights, kMeans, kSds, y), crps, 1e-14);
    EXPECT_NEAR(normal_mixture_crps_by_quadrature(kWeights, kMeans, kSds, y), crps, 1e-11);
  }
}

TEST(NormalMixtureCrps, OfOneNormalIsTheTextbookForm) {
  const double z = 0.7;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double expected = 2.0 * (z * std::erf(z / std::numbers::sqrt2) + 2.0 * density - std::numbers::inv_sqrtpi);
  const double one[] = {1.0}, mean[] = {3.0}, sd[] = {2.0};
  EXPECT_NEAR(normal_mixture_crps(one, mean, sd, 3.0 + 2.0 * z), expected, 1e-15);
}

TEST(NormalMixtureCrps, OfPointsIsTheAbsoluteErrorLessHalfTheirDistance) {
  const double weights[] = {0.5, 0.5}, means[] = {0.0, 1.0}, sds[] = {0.0, 0.0};
  EXPECT_DOUBLE_EQ(normal_mixture_crps_by_pairs(weights, means, sds, 3.0), 2.5 - 0.25);
  EXPECT_DOUBLE_EQ(normal_mixture_crps_by_quadrature(weights, means, sds, 3.0), 2.5 - 0.25);
}

// The two ways on either side of the switch; the quadrature is good to 1e-11 for scales this alike.
TEST(NormalMixtureCrps, BothWaysAgreeForManyComponents) {
  Stream stream({.seed = 7, .purpose = Purpose::predictive_draw});
  for (const int count : {kMostNormalPairs, kMostNormalPairs + 1, 700}) {
    const std::vector<double> weights(static_cast<std::size_t>(count), 1.0 / count);
    std::vector<double> means, sds;
    for (int i = 0; i < count; ++i) {
      means.push_back(2.0 * draw_normal(stream));
      sds.push_back(std::exp(0.5 * draw_normal(stream)));
    }
    const double by_pairs = normal_mixture_crps_by_pairs(weights, means, sds, 0.4);
    EXPECT_NEAR(normal_mixture_crps_by_quadrature(weights, means, sds, 0.4), by_pairs, 1e-10);
    EXPECT_NEAR(normal_mixture_crps(weights, means, sds, 0.4), by_pairs, 1e-10);
  }
}

StudentMixture three(double df) {
  return StudentMixture(kWeights, kMeans, kSds, df);
}

// Quantiles 0.025 and 0.975 of this mixture at df = 19 from mpmath (student_mixture_test.cpp); 2/alpha = 40.
TEST(PointScores, IntervalScoreIsWidthAndPenalty) {
  const double lower = -1.7582263660494692;
  const double upper = 6.8762992634566745;
  EXPECT_NEAR(score_point(three(19.0), 1.0).interval_score_95, upper - lower, 1e-12);
  EXPECT_NEAR(score_point(three(19.0), -3.0).interval_score_95, upper - lower + 40.0 * (lower + 3.0), 1e-10);
  EXPECT_NEAR(score_point(three(19.0), 9.0).interval_score_95, upper - lower + 40.0 * (9.0 - upper), 1e-10);
}

TEST(PointScores, AreThoseOfTheMixture) {
  const PointScores point = score_point(three(19.0), 1.0);
  EXPECT_NEAR(point.error, 0.25, 1e-15);  // mean 1.25
  EXPECT_EQ(point.crps, three(19.0).crps(1.0));
  EXPECT_EQ(point.negative_log_density, -three(19.0).log_density(1.0));
  EXPECT_EQ(point.pit, three(19.0).cdf(1.0));
  // The normals have the components' variances, 19/17 scale^2.
  std::vector<double> sds = kSds;
  for (double& sd : sds) sd *= std::sqrt(19.0 / 17.0);
  EXPECT_NEAR(point.crps_normal_mixture, normal_mixture_crps_by_pairs(kWeights, kMeans, sds, 1.0), 1e-13);
}

// A central interval of level L covers y exactly when (1 - L)/2 <= F(y) <= (1 + L)/2.
TEST(PointScores, CoverageFollowsFromThePit) {
  for (int k = -60; k < 120; ++k) {
    const PointScores point = score_point(three(5.0), 0.1 * k);
    for (std::size_t level = 0; level < kCoverageLevels.size(); ++level) {
      EXPECT_EQ(point.covered[level], std::abs(point.pit - 0.5) <= 0.5 * kCoverageLevels[level]) << k << ' ' << level;
    }
  }
}

TEST(PointScores, APerfectPointPredictionCoversTheTruth) {
  const double one[] = {1.0}, mean[] = {0.1}, zero[] = {0.0};
  const PointScores point = score_point(StudentMixture(one, mean, zero, 5.0), 0.1);
  EXPECT_EQ(point.crps, 0.0);
  EXPECT_EQ(point.interval_score_95, 0.0);
  for (const bool covered : point.covered) EXPECT_TRUE(covered);
}

TEST(PointScores, RefuseATruthThatIsNoNumber) {
  EXPECT_THROW(score_point(three(5.0), std::nan("")), Error);
}

TEST(ScoreAccumulator, AveragesItsPoints) {
  ScoreAccumulator accumulator;
  accumulator.add({.error = 3.0,
                   .crps = 1.0,
                   .crps_normal_mixture = 1.5,
                   .negative_log_density = 2.0,
                   .interval_score_95 = 10.0,
                   .covered = {false, false, true, true, true},
                   .pit = 0.9});
  accumulator.add({.error = -4.0,
                   .crps = 2.0,
                   .crps_normal_mixture = 2.5,
                   .negative_log_density = -1.0,
                   .interval_score_95 = 20.0,
                   .covered = {false, true, true, true, true},
                   .pit = 0.2});
  const Scores scores = accumulator.result();
  EXPECT_EQ(scores.n, 2);
  EXPECT_DOUBLE_EQ(scores.rmse, std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(scores.crps, 1.5);
  EXPECT_DOUBLE_EQ(scores.crps_normal_mixture, 2.0);
  EXPECT_DOUBLE_EQ(scores.nlpd, 0.5);
  EXPECT_DOUBLE_EQ(scores.interval_score_95, 15.0);
  EXPECT_EQ(scores.coverage, (std::array<double, 5>{0.0, 0.5, 1.0, 1.0, 1.0}));
  EXPECT_EQ(scores.pit, (std::vector<double>{0.9, 0.2}));
}

// Truths drawn from the prediction itself: coverage is binomial, PIT uniform; four standard errors each. A
// mixture whose scales are half of the truth's is caught by both.
TEST(ScoreAccumulator, ACalibratedPredictionLooksCalibratedAndANarrowOneDoesNot) {
  std::vector<double> narrow_scales = kSds;
  for (double& scale : narrow_scales) scale *= 0.5;
  const StudentMixture narrow(kWeights, kMeans, narrow_scales, 5.0);
  Stream stream({.seed = 3, .purpose = Purpose::predictive_draw});
  ScoreAccumulator right, wrong;
  constexpr int kPoints = 2000;
  for (int k = 0; k < kPoints; ++k) {
    const auto i = static_cast<std::size_t>(draw_categorical(stream, kWeights));
    const double spread = std::sqrt(5.0 / (2.0 * draw_gamma(stream, 2.5)));
    const double truth = kMeans[i] + kSds[i] * spread * draw_normal(stream);
    right.add(three(5.0), truth);
    wrong.add(narrow, truth);
  }
  const Scores scores = right.result();
  for (std::size_t k = 0; k < kCoverageLevels.size(); ++k) {
    const double level = kCoverageLevels[k];
    const double tolerance = 4.0 * std::sqrt(level * (1.0 - level) / kPoints);
    EXPECT_NEAR(scores.coverage[k], level, tolerance);
    if (level >= 0.9) {
      EXPECT_LT(wrong.result().coverage[k], level - tolerance);
    }
  }
  const double mean_pit = std::accumulate(scores.pit.begin(), scores.pit.end(), 0.0) / kPoints;
  EXPECT_NEAR(mean_pit, 0.5, 4.0 / std::sqrt(12.0 * kPoints));
  EXPECT_LT(scores.crps, wrong.result().crps);
  EXPECT_LT(scores.nlpd, wrong.result().nlpd);
  EXPECT_LT(scores.interval_score_95, wrong.result().interval_score_95);
}

TEST(ScoreAccumulator, HasNoScoresWithoutPoints) {
  EXPECT_THROW(ScoreAccumulator().result(), Error);
}

}  // namespace
}  // namespace ta2s2
