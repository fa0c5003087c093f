#include "ta2s2/emulator/run_criterion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "ta2s2/base/error.hpp"
#include "ta2s2/emulator/criteria/boundary.hpp"
#include "ta2s2/emulator/criteria/criteria.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/emulator/two_draws.hpp"

namespace ta2s2 {
namespace {

const Vector kPlace{{0.3, 0.8}};

class RunCriterionTest : public testing::Test {
 protected:
  test::TwoDraws problem;
  Emulator emulator = problem.emulator();
  ThreadExecutor executor{2};
  Matrix points = test::scattered_points(5, 2, 9), chosen = test::scattered_points(2, 2, 10);

  void add_chosen(RunCriterion& criterion) {
    for (Index i = 0; i < chosen.rows(); ++i) criterion.add_run(chosen.row(i), executor);
  }
  double df() const { return emulator.degrees_of_freedom(); }
};

TEST_F(RunCriterionTest, VarianceIsThatOfTheMixtureAndThenOfTheBestLinearPrediction) {
  const auto criterion = detail::make_variance_criterion(emulator, executor);
  Matrix all(7, 2);
  all << points, chosen;
  Matrix V = emulator.covariance(problem.scaling.to_user(all), Predict::latent, executor);
  EXPECT_LT((criterion->values(points) - V.diagonal().head(5)).cwiseAbs().maxCoeff(), 1e-10 * V(0, 0));
  add_chosen(*criterion);
  Matrix V_chosen =
      emulator.covariance(problem.scaling.to_user(all), Predict::new_run, executor).bottomRightCorner(2, 2);
  V_chosen(0, 1) = V_chosen(1, 0) = V(5, 6);
  const Matrix expected =
      V.topLeftCorner(5, 5) - V.topRightCorner(5, 2) * V_chosen.inverse() * V.topRightCorner(5, 2).transpose();
  EXPECT_LT((criterion->values(points) - expected.diagonal()).cwiseAbs().maxCoeff(), 1e-10 * V(0, 0));
}

TEST_F(RunCriterionTest, InformationOfABatchIsThatOfItsJointCovariance) {
  const auto criterion = detail::make_entropy_criterion(emulator, executor);
  double sum = 0.0, expected = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    sum += criterion->values(points.row(i))[0];
    criterion->add_run(points.row(i), executor);
  }
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor(*problem.model, problem.parameters(draw));
    const Matrix c = predictor.covariance(points, points) / predictor.nugget() + Matrix::Identity(5, 5);
    expected += 0.5 * emulator.weights()[draw] * std::log(c.determinant());
  }
  EXPECT_NEAR(sum, expected, 1e-9 * expected);
}

// Variance within draws at the reference points, given one more run; weights are the posterior's, so that they move
// with the run's output.
double variance_after(const test::TwoDraws& problem, const Matrix& reference, const Vector& place,
                      double standard_output) {
  const GpModel longer = problem.with_run(place, standard_output);
  Vector log_weights(2), within(2);
  for (Index draw = 0; draw < 2; ++draw) {
    const GpParameters parameters = problem.parameters(draw);
    const ConditionalPredictor before(*problem.model, parameters), after(longer, parameters);
    Vector mean, c;
    before.predict(place.transpose(), mean, c);
    const double df = static_cast<double>(before.degrees_of_freedom());
    const double scale = std::sqrt(before.S2() / df * (c[0] + before.nugget()));
    const boost::math::students_t t(df);
    log_weights[draw] =
        std::log(problem.sample.weights[draw] * boost::math::pdf(t, (standard_output - mean[0]) / scale) / scale);
    after.predict(reference, mean, c);
    within[draw] = 64.0 * after.S2() / (df - 1.0) * c.mean();
  }
  Vector weights = (log_weights.array() - log_weights.maxCoeff()).exp();
  return weights.dot(within) / weights.sum();
}

struct MeanAndError {
  double mean, error;
};

MeanAndError mean_and_error(const Vector& values) {
  const double n = static_cast<double>(values.size()), mean = values.mean();
  return {mean, std::sqrt((values.array() - mean).square().sum() / (n - 1.0) / n)};
}

// Outputs are drawn from the mixture, and the criterion promises what the variance within draws falls by on average: 4
// standard errors. Mutant: a run without its nugget.
TEST_F(RunCriterionTest, ImseIsTheFallThatOutputsOfTheMixtureCause) {
  const Matrix reference = test::scattered_points(40, 2, 11);
  const auto criterion = detail::make_imse_criterion(emulator, reference, Vector::Constant(40, 1.0 / 40.0), executor);
  const double before = *criterion->average_variance(), promised = criterion->values(kPlace.transpose())[0];
  constexpr Index kOutputs = 6000;
  const Matrix outputs =
      emulator.joint_draws(problem.scaling.to_user(kPlace.transpose()), Predict::new_run, kOutputs, 3, executor);
  Vector falls(kOutputs);
  for (Index i = 0; i < kOutputs; ++i) {
    falls[i] = before - variance_after(problem, reference, kPlace, (outputs(0, i) - 100.0) / 8.0);
  }
  const MeanAndError fall = mean_and_error(falls);
  EXPECT_LT(std::abs(fall.mean - promised), 4.0 * fall.error);
  criterion->add_run(kPlace, executor);
  EXPECT_NEAR(before - *criterion->average_variance(), promised, 1e-10 * before);

  double without_nugget = 0.0;
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor(*problem.model, problem.parameters(draw));
    const Vector c = predictor.covariance(reference, kPlace.transpose());
    const double own = predictor.covariance(kPlace.transpose(), kPlace.transpose())(0, 0);
    without_nugget += emulator.weights()[draw] * 64.0 * predictor.S2() / (df() - 2.0) * c.array().square().mean() / own;
  }
  EXPECT_GT(std::abs(without_nugget - promised), 4.0 * fall.error);
}

// E max(b - X, 0) is the integral of the distribution function up to b.
TEST_F(RunCriterionTest, ImprovementOfOnePointIsAnIntegralOfTheMixture) {
  const auto lower = detail::make_improvement_criterion(emulator, -1.0, 1, executor);
  const auto higher = detail::make_improvement_criterion(emulator, 1.0, 1, executor);
  const MixtureBlock at_runs =
      emulator.mixtures(problem.scaling.to_user(problem.model->X()), Predict::latent, executor);
  const Vector means = at_runs.means.transpose() * at_runs.weights;
  const MixtureBlock block = emulator.mixtures(problem.scaling.to_user(points), Predict::latent, executor);
  for (Index i = 0; i < points.rows(); ++i) {
    const StudentMixture mixture = block.at(i);
    // Simpson's rule over 120 units with steps of 0.01, scales above 0.5: beyond, less than 1e-6 is left of tails that
    // fall with the eighth power.
    constexpr int kSteps = 12'000;
    double below = 0.0, above = 0.0;
    for (int k = 0; k <= kSteps; ++k) {
      const double weight = (k == 0 || k == kSteps ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0)) * 0.01 / 3.0;
      below += weight * mixture.cdf(means.minCoeff() - 0.01 * k);
      above += weight * (1.0 - mixture.cdf(means.maxCoeff() + 0.01 * k));
    }
    EXPECT_NEAR(lower->values(points.row(i))[0], below, 1e-5);
    EXPECT_NEAR(higher->values(points.row(i))[0], above, 1e-5);
  }
}

// What a third point adds to two, against joint draws of all three; the errors of both means count. Two draws with 16
// supposed values each say little, so that the criterion's is averaged over seeds. Mutant: the first two points
// believed to give their means.
TEST_F(RunCriterionTest, ImprovementOfABatchIsThatOfJointDraws) {
  constexpr Index kDraws = 40'000, kSeeds = 300;
  const Vector place = points.row(1);
  chosen << place[0] + 0.05, place[1], place[0], place[1] - 0.05;
  Matrix all(3, 2);
  all << chosen, place.transpose();
  const Matrix draws = emulator.joint_draws(problem.scaling.to_user(all), Predict::latent, kDraws, 5, executor);
  const MixtureBlock at_runs =
      emulator.mixtures(problem.scaling.to_user(problem.model->X()), Predict::latent, executor);
  const double best = (at_runs.means.transpose() * at_runs.weights).minCoeff();
  Vector added(kDraws);
  for (Index i = 0; i < kDraws; ++i) {
    added[i] = std::max(std::min(best, draws.col(i).head(2).minCoeff()) - draws(2, i), 0.0);
  }
  Vector promised(kSeeds);
  for (Index seed = 0; seed < kSeeds; ++seed) {
    const auto criterion =
        detail::make_improvement_criterion(emulator, -1.0, static_cast<std::uint64_t>(seed), executor);
    add_chosen(*criterion);
    promised[seed] = criterion->values(place.transpose())[0];
  }
  const MeanAndError drawn = mean_and_error(added), ours = mean_and_error(promised);
  const double tolerance = 4.0 * std::hypot(drawn.error, ours.error);
  EXPECT_LT(std::abs(drawn.mean - ours.mean), tolerance);
  const double unaware = detail::make_improvement_criterion(emulator, -1.0, 1, executor)->values(place.transpose())[0];
  EXPECT_GT(std::abs(drawn.mean - unaware), tolerance);
}

// The output at the reference points is near the level more often than anywhere. Points that know nothing of the level
// would give the same share to a tenth of it, the error of 200 points.
TEST_F(RunCriterionTest, BoundaryLooksWhereTheOutputMayBeAtTheLevel) {
  const double level = 105.0;
  const detail::WeightedPoints near = detail::points_near_level(emulator, level, 200, 1, executor);
  EXPECT_NEAR(near.weights.sum(), 1.0, 1e-12);
  const auto share_near = [&](const Matrix& unit, const Vector& weights) {
    const MixtureBlock block = emulator.mixtures(problem.scaling.to_user(unit), Predict::latent, executor);
    double share = 0.0;
    for (Index i = 0; i < unit.rows(); ++i) {
      const StudentMixture mixture = block.at(i);
      share += weights[i] * (mixture.cdf(level + 0.5) - mixture.cdf(level - 0.5));
    }
    return share;
  };
  const Matrix anywhere = test::scattered_points(200, 2, 12);
  EXPECT_GT(share_near(near.unit_points, near.weights), 1.3 * share_near(anywhere, Vector::Constant(200, 1.0 / 200.0)));
}

TEST(CriterionSpecTest, SaysWhatItFoundAndWhatItExpected) {
  EXPECT_EQ(parse_criterion("ei-min").name, "ei-min");
  EXPECT_EQ(parse_criterion("boundary(3.5)").level, 3.5);
  for (const char* wrong : {"boundary", "imse(2)", "boundary(x)", "best", ""}) {
    EXPECT_THROW(parse_criterion(wrong), Error) << wrong;
  }
  try {
    parse_criterion("best");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("boundary(y0)"));
  }
}

}  // namespace
}  // namespace ta2s2
