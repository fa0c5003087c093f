#include "ta2s2/predictive/model_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

TEST(EvidenceWeights, AreProportionalToEvidences) {
  const std::vector<double> weights = evidence_weights({-1000.0, -1000.0 + std::log(3.0)});
  EXPECT_NEAR(weights[0], 0.25, 1e-12);
  EXPECT_NEAR(weights[1], 0.75, 1e-12);
}

// Two models: the weight is the logistic function of a normal difference, whose quantiles are known.
TEST(EvidenceWeightIntervals, AreThoseOfALogisticNormal) {
  const double difference = 0.5, error = std::hypot(0.3, 0.4), normal_quantile = 1.6448536269514722;
  const auto logistic = [](double x) { return 1.0 / (1.0 + std::exp(-x)); };
  const std::vector<WeightInterval> found = evidence_weight_intervals({difference, 0.0}, {0.3, 0.4}, 1);
  // A 5% quantile of 4000 draws: its level has a standard error of 0.0034, worth 0.033 of a standard deviation; four of
  // these times the sd of 0.5 and a slope of at most 1/4.
  constexpr double kTolerance = 4 * 0.033 * 0.5 * 0.25;
  EXPECT_NEAR(found[0].low, logistic(difference - normal_quantile * error), kTolerance);
  EXPECT_NEAR(found[0].high, logistic(difference + normal_quantile * error), kTolerance);
  EXPECT_NEAR(found[1].low, logistic(-difference - normal_quantile * error), kTolerance);
  // The mutant that ignores errors has an interval without width.
  EXPECT_GT(found[0].high - found[0].low, 10 * kTolerance);
}

TEST(EvidenceWeightIntervals, HaveNoWidthWithoutErrors) {
  const std::vector<WeightInterval> found = evidence_weight_intervals({1.0, 0.0, -2.0}, {0.0, 0.0, 0.0}, 1);
  for (const WeightInterval& interval : found) EXPECT_EQ(interval.low, interval.high);
}

// What stacking maximises.
double held_back_log_density(const Matrix& log_densities, const Vector& weights) {
  const double share = kStackingPseudoRuns / static_cast<double>(weights.size());
  return (log_densities.array().exp().matrix() * weights).array().log().sum() + share * weights.array().log().sum();
}

Matrix some_log_densities(Index runs, Index models) {
  Stream stream({.seed = 4, .purpose = Purpose::design});
  Matrix values(runs, models);
  for (Index i = 0; i < runs; ++i) values.row(i) = draw_normals(stream, models);
  return values;
}

std::vector<double> stacked(const Matrix& log_densities) {
  return stacking_weights(log_densities, Vector::Ones(log_densities.cols()));
}

// Against all weights of a fine grid on the simplex.
TEST(Stacking, NoOtherWeightsDoBetter) {
  const Matrix log_densities = some_log_densities(30, 3);
  const std::vector<double> found = stacked(log_densities);
  const double best = held_back_log_density(log_densities, Eigen::Map<const Vector>(found.data(), 3));
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1.0, 1e-12);
  constexpr int kSteps = 100;
  double best_on_grid = -1e300;
  for (int a = 1; a <= kSteps; ++a) {
    for (int b = 1; a + b < kSteps; ++b) {
      const Vector weights = Vector{{1.0 * a / kSteps, 1.0 * b / kSteps, 1.0 * (kSteps - a - b) / kSteps}};
      best_on_grid = std::max(best_on_grid, held_back_log_density(log_densities, weights));
    }
  }
  constexpr double kGap = 36.0 * kStackingGap;  // of the sum over runs and pseudo-runs
  EXPECT_GE(best, best_on_grid - kGap);
  // A mutant that stops where it starts, at equal weights, would do worse.
  EXPECT_GT(best, held_back_log_density(log_densities, Vector::Constant(3, 1.0 / 3.0)) + 100.0 * kGap);
}

// n runs that one model predicts e^50 times better than the others leave each of these (6 / K) / (n + 6).
TEST(Stacking, HoldsPseudoRunsBack) {
  for (const Index n : {1, 20, 500}) {
    Matrix log_densities = Matrix::Constant(n, 4, -50.0);
    log_densities.col(2).setZero();
    const std::vector<double> found = stacked(log_densities);
    const double least = 1.5 / static_cast<double>(n + 6);
    for (const std::size_t k : {0, 1, 3}) EXPECT_NEAR(found[k], least, 1e-9);
    EXPECT_NEAR(found[2], 1.0 - 3.0 * least, 1e-9);
  }
}

// Runs piled near the least output: a model that resolves them to the last digit gains five units of log density at
// each of 40, and errs ten times as much in CRPS at the other ten.
TEST(Stacking, GuardsAgainstAModelThatKnowsTheFloorAlone) {
  Matrix log_densities = Matrix::Zero(50, 3);
  log_densities.col(0).head(40).setConstant(5.0);
  log_densities.col(0).tail(10).setConstant(-2.0);
  const double least = 2.0 / 56.0;
  const std::vector<double> guarded = stacking_weights(log_densities, Vector{{10.0, 1.0, 1.1}});
  EXPECT_NEAR(guarded[0], least, 1e-9);
  EXPECT_NEAR(guarded[1], 0.5 * (1.0 - least), 1e-9);
  // The mutant without a guard gives it most of the weight; so does one whose guard looks at densities.
  EXPECT_GT(stacked(log_densities)[0], 0.6);
  // At the guard's limit it still answers.
  EXPECT_GT(stacking_weights(log_densities, Vector{{1.5, 1.0, 1.1}})[0], 0.6);
}

TEST(Stacking, AGuardedModelMayHaveAllTheDensityThereIs) {
  Matrix log_densities = Matrix::Constant(20, 2, -2000.0);
  log_densities.col(1).setZero();
  const std::vector<double> found = stacking_weights(log_densities, Vector{{1.0, 2.0}});
  EXPECT_NEAR(found[1], 3.0 / 26.0, 1e-9);
  EXPECT_NEAR(found[0], 23.0 / 26.0, 1e-9);
}

TEST(Stacking, AnswersWhereDensitiesOrScoresAreNone) {
  Matrix log_densities = Matrix::Zero(4, 2);
  log_densities.row(1).setConstant(-kInfinity);
  const double nan = std::nan("");
  EXPECT_THAT(stacking_weights(log_densities, Vector{{nan, nan}}), testing::ElementsAre(0.5, 0.5));
  EXPECT_THAT(stacking_weights(Matrix(0, 2), Vector::Ones(2)), testing::ElementsAre(0.5, 0.5));
  EXPECT_LT(stacking_weights(log_densities, Vector{{nan, 1.0}})[0], 0.31);  // 3 / 10
}

TEST(Stacking, DensitiesFarBeyondTheRangeOfADoubleAreNoTrouble) {
  const Matrix log_densities = some_log_densities(30, 3);
  const std::vector<double> here = stacked(log_densities);
  const std::vector<double> there = stacked(log_densities.array() - 5000.0);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(here[k], there[k], 1e-9);
}

TEST(Stacking, OneModelHasAllTheWeight) {
  EXPECT_THAT(stacked(some_log_densities(5, 1)), testing::ElementsAre(1.0));
}

}  // namespace
}  // namespace ta2s2
