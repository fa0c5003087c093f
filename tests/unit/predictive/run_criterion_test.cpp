#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/run_criterion.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/predictive/two_draws.hpp"

namespace ta2s2 {
namespace {

const Vector kPlace{{0.3, 0.8}};

class RunCriterionTest : public testing::Test {
 protected:
  test::TwoDraws problem;
  Predictive predictive = problem.predictive();
  ThreadExecutor executor{2};
  Matrix points = test::scattered_points(5, 2, 9), chosen = test::scattered_points(2, 2, 10);

  void add_chosen(RunCriterion& criterion) {
    for (Index i = 0; i < chosen.rows(); ++i) criterion.add_run(chosen.row(i), executor);
  }
  double df() const { return predictive.degrees_of_freedom(); }
};

TEST_F(RunCriterionTest, VarianceIsThatOfTheMixtureAndThenOfTheBestLinearPrediction) {
  const auto criterion = detail::make_variance_criterion(predictive, executor);
  Matrix all(7, 2);
  all << points, chosen;
  Matrix V = predictive.covariance(problem.scaling.to_user(all), Predict::latent, executor);
  EXPECT_LT((criterion->values(points) - V.diagonal().head(5)).cwiseAbs().maxCoeff(), 1e-10 * V(0, 0));
  add_chosen(*criterion);
  Matrix V_chosen =
      predictive.covariance(problem.scaling.to_user(all), Predict::new_run, executor).bottomRightCorner(2, 2);
  V_chosen(0, 1) = V_chosen(1, 0) = V(5, 6);
  const Matrix expected =
      V.topLeftCorner(5, 5) - V.topRightCorner(5, 2) * V_chosen.inverse() * V.topRightCorner(5, 2).transpose();
  EXPECT_LT((criterion->values(points) - expected.diagonal()).cwiseAbs().maxCoeff(), 1e-10 * V(0, 0));
}

TEST_F(RunCriterionTest, InformationOfABatchIsThatOfItsJointCovariance) {
  const auto criterion = detail::make_entropy_criterion(predictive, executor);
  double sum = 0.0, expected = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    sum += criterion->values(points.row(i))[0];
    criterion->add_run(points.row(i), executor);
  }
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor(*problem.model, problem.parameters(draw));
    const Matrix c = predictor.covariance(points, points) / predictor.nugget() + Matrix::Identity(5, 5);
    expected += 0.5 * predictive.weights()[draw] * std::log(c.determinant());
  }
  EXPECT_NEAR(sum, expected, 1e-9 * expected);
}

// Variance within draws at the reference points, given one more run. Weights are the posterior's, so that they move
// with the run's output, or stay what they were.
struct VarianceAfter {
  double with_moving_weights, with_old_weights;
};

VarianceAfter variance_after(const test::TwoDraws& problem, const Matrix& reference, const Vector& place,
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
  const Vector weights = (log_weights.array() - log_weights.maxCoeff()).exp();
  return {weights.dot(within) / weights.sum(), problem.sample.weights.dot(within)};
}

struct MeanAndError {
  double mean, error;
};

MeanAndError mean_and_error(const Vector& values) {
  const double n = static_cast<double>(values.size()), mean = values.mean();
  return {mean, std::sqrt((values.array() - mean).square().sum() / (n - 1.0) / n)};
}

struct Falls {
  MeanAndError with_moving_weights, with_old_weights;
};

// What the variance within draws falls by after a run at the place, over outputs that are drawn from the mixture.
Falls falls_after(const test::TwoDraws& problem, const Matrix& reference, const Vector& place, double before,
                  Executor& executor) {
  constexpr Index kOutputs = 6000;
  const Matrix outputs = problem.predictive().joint_draws(problem.scaling.to_user(place.transpose()), Predict::new_run,
                                                          kOutputs, 3, executor);
  Vector moving(kOutputs), old(kOutputs);
  for (Index i = 0; i < kOutputs; ++i) {
    const VarianceAfter after = variance_after(problem, reference, place, (outputs(0, i) - 100.0) / 8.0);
    moving[i] = before - after.with_moving_weights;
    old[i] = before - after.with_old_weights;
  }
  return {mean_and_error(moving), mean_and_error(old)};
}

// The criterion promises the mean: 4 standard errors. Mutant: weights that do not move with the output. The place is
// one where the two draws differ much in what they predict, so that an output tells them apart.
TEST_F(RunCriterionTest, ImseKnowsThatWeightsMoveWithTheOutput) {
  const Matrix reference = test::scattered_points(40, 2, 11);
  const Vector place{{0.75, 0.25}};
  const auto criterion = detail::make_imse_criterion(predictive, reference, Vector::Constant(40, 1.0 / 40.0), executor);
  const double promised = criterion->values(place.transpose())[0];
  const Falls falls = falls_after(problem, reference, place, *criterion->average_variance(), executor);
  EXPECT_LT(std::abs(falls.with_moving_weights.mean - promised), 4.0 * falls.with_moving_weights.error);
  EXPECT_GT(std::abs(falls.with_old_weights.mean - promised), 4.0 * falls.with_old_weights.error);
}

// As before. Mutant: a run without its nugget.
TEST_F(RunCriterionTest, ImseIsTheFallThatOutputsOfTheMixtureCause) {
  const Matrix reference = test::scattered_points(40, 2, 11);
  const auto criterion = detail::make_imse_criterion(predictive, reference, Vector::Constant(40, 1.0 / 40.0), executor);
  const double before = *criterion->average_variance(), promised = criterion->values(kPlace.transpose())[0];
  const MeanAndError fall = falls_after(problem, reference, kPlace, before, executor).with_moving_weights;
  EXPECT_LT(std::abs(fall.mean - promised), 4.0 * fall.error);
  criterion->add_run(kPlace, executor);
  EXPECT_NEAR(before - *criterion->average_variance(), promised, 1e-10 * before);

  double without_nugget = 0.0;
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor(*problem.model, problem.parameters(draw));
    const Vector c = predictor.covariance(reference, kPlace.transpose());
    const double own = predictor.covariance(kPlace.transpose(), kPlace.transpose())(0, 0);
    without_nugget +=
        predictive.weights()[draw] * 64.0 * predictor.S2() / (df() - 2.0) * c.array().square().mean() / own;
  }
  EXPECT_GT(std::abs(without_nugget - promised), 4.0 * fall.error);
}

// E max(b - X, 0) is the integral of the distribution function up to b.
TEST_F(RunCriterionTest, ImprovementOfOnePointIsAnIntegralOfTheMixture) {
  const auto lower = detail::make_improvement_criterion(predictive, -1.0, 1, executor);
  const auto higher = detail::make_improvement_criterion(predictive, 1.0, 1, executor);
  const MixtureBlock at_runs =
      predictive.mixtures(problem.scaling.to_user(problem.model->X()), Predict::latent, executor);
  const Vector means = at_runs.means.transpose() * at_runs.weights;
  const MixtureBlock block = predictive.mixtures(problem.scaling.to_user(points), Predict::latent, executor);
  for (Index i = 0; i < points.rows(); ++i) {
    const PredictiveLaw mixture = block.at(i);
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
  const Matrix draws = predictive.joint_draws(problem.scaling.to_user(all), Predict::latent, kDraws, 5, executor);
  const MixtureBlock at_runs =
      predictive.mixtures(problem.scaling.to_user(problem.model->X()), Predict::latent, executor);
  const double best = (at_runs.means.transpose() * at_runs.weights).minCoeff();
  Vector added(kDraws);
  for (Index i = 0; i < kDraws; ++i) {
    added[i] = std::max(std::min(best, draws.col(i).head(2).minCoeff()) - draws(2, i), 0.0);
  }
  Vector promised(kSeeds);
  for (Index seed = 0; seed < kSeeds; ++seed) {
    const auto criterion =
        detail::make_improvement_criterion(predictive, -1.0, static_cast<std::uint64_t>(seed), executor);
    add_chosen(*criterion);
    promised[seed] = criterion->values(place.transpose())[0];
  }
  const MeanAndError drawn = mean_and_error(added), ours = mean_and_error(promised);
  const double tolerance = 4.0 * std::hypot(drawn.error, ours.error);
  EXPECT_LT(std::abs(drawn.mean - ours.mean), tolerance);
  const double unaware =
      detail::make_improvement_criterion(predictive, -1.0, 1, executor)->values(place.transpose())[0];
  EXPECT_GT(std::abs(drawn.mean - unaware), tolerance);
}

// 1 + e^2 / s^2 of the run, predicted from a model that never saw it.
double factor_without(const GpModel& model, const GpParameters& parameters, Index run) {
  std::vector<Index> others;
  for (Index i = 0; i < model.num_runs(); ++i) {
    if (i != run) others.push_back(i);
  }
  const GpModel fewer(model.X()(others, Eigen::all), model.y()(others), model.trend(),
                      make_covariance(model.covariance().spec()));
  const ConditionalPredictor predictor(fewer, parameters);
  Vector mean, c;
  predictor.predict(model.X().row(run), mean, c);
  const double scale2 =
      predictor.S2() / static_cast<double>(predictor.degrees_of_freedom()) * (c[0] + predictor.nugget());
  return 1.0 + (model.y()[run] - mean[0]) * (model.y()[run] - mean[0]) / scale2;
}

Index nearest_run(const Matrix& X, const Vector& place, const Vector& phi) {
  Index nearest = 0;
  double least = kInfinity;
  for (Index i = 0; i < X.rows(); ++i) {
    const double apart = ((X.row(i).transpose() - place).array().square() / phi.array()).sum();
    if (apart < least) nearest = i, least = apart;
  }
  return nearest;
}

// Against models that are fitted without the run. Mutants: distances that know no length-scales, and weights that know
// no errors; what they get wrong is no matter of rounding.
TEST_F(RunCriterionTest, PlacesCountByTheErrorAtTheNearestRunHadItBeenLeftOut) {
  const Matrix places = test::scattered_points(40, 2, 13);
  const auto weights_by = [&](bool knows_scales) -> Vector {
    Vector sums = Vector::Zero(40);
    for (Index draw = 0; draw < 2; ++draw) {
      const GpParameters parameters = problem.parameters(draw);
      const Vector phi = knows_scales ? parameters.phi : Vector::Ones(2);
      for (Index i = 0; i < 40; ++i) {
        const Index nearest = nearest_run(problem.model->X(), places.row(i), phi);
        sums[i] += predictive.weights()[draw] * factor_without(*problem.model, parameters, nearest);
      }
    }
    return sums / sums.sum();
  };
  const Vector weights = detail::left_out_weights(predictive, places, executor);
  EXPECT_LT((weights - weights_by(true)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_GT((weights - weights_by(false)).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT((weights.array() - 1.0 / 40.0).abs().maxCoeff(), 1e-3);
}

double density_at(double level, const MixtureBlock& block, Index point, double width) {
  const boost::math::students_t t(block.degrees_of_freedom);
  double sum = 0.0;
  for (Index draw = 0; draw < block.weights.size(); ++draw) {
    const double scale = std::hypot(block.scales(draw, point), width);
    sum += block.weights[draw] * boost::math::pdf(t, (level - block.means(draw, point)) / scale) / scale;
  }
  return sum;
}

// The squared distance of the predicted mean to the level, averaged with the density at the level (docs/math.md) over a
// fine grid: the reference points, 200 of them, give it to 4 standard errors of that many independent draws from that
// density. Mutant: points that know nothing of the level.
TEST_F(RunCriterionTest, BoundaryLooksWhereTheOutputMayBeAtTheLevel) {
  constexpr double kLevel = 105.0, kWidth = 0.02 * 8.0;
  constexpr Index kSide = 60, kPoints = 200;
  const auto at = [&](const Matrix& unit) {
    return predictive.mixtures(problem.scaling.to_user(unit), Predict::latent, executor);
  };
  const auto distances = [&](const MixtureBlock& block) -> Vector {
    return ((block.means.transpose() * block.weights).array() - kLevel).square();
  };
  Matrix grid(kSide * kSide, 2);
  for (Index i = 0; i < grid.rows(); ++i) {
    grid.row(i) << (static_cast<double>(i % kSide) + 0.5) / kSide, (static_cast<double>(i / kSide) + 0.5) / kSide;
  }
  const MixtureBlock everywhere = at(grid);
  Vector density(grid.rows());
  for (Index i = 0; i < grid.rows(); ++i) density[i] = density_at(kLevel, everywhere, i, kWidth);
  density /= density.sum();
  const Vector far = distances(everywhere);
  const double expected = density.dot(far);
  const double error = std::sqrt(density.dot((far.array() - expected).square().matrix()) / kPoints);

  const detail::WeightedPoints near = detail::points_near_level(predictive, kLevel, kPoints, 1, executor);
  EXPECT_NEAR(near.weights.sum(), 1.0, 1e-12);
  EXPECT_LT(std::abs(near.weights.dot(distances(at(near.unit_points))) - expected), 4.0 * error);
  EXPECT_GT(std::abs(distances(at(test::scattered_points(kPoints, 2, 12))).mean() - expected), 4.0 * error);
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

class DrawProcessWith : public testing::TestWithParam<std::string> {};

// The model with further runs is another way to the same numbers; what these runs gave must not matter.
TEST_P(DrawProcessWith, FurtherRunsIsThatOfAModelWithMoreRuns) {
  const test::TwoDraws problem(GetParam());
  const Predictive predictive = problem.predictive();
  const Matrix points = test::scattered_points(6, 2, 7), chosen = test::scattered_points(3, 2, 8);
  for (Index draw = 0; draw < 2; ++draw) {
    DrawProcess process(predictive, draw);
    DrawProcess::Points seen_before = process.at(points);
    Matrix X(problem.model->num_runs() + 3, 2);
    X << problem.model->X(), chosen;
    Vector y(X.rows());
    y << problem.model->y(), 0.3, -2.0, 5.0;
    const GpModel longer(X, y, problem.model->trend(), make_covariance("matern52"));
    const Matrix expected = ConditionalPredictor(longer, problem.parameters(draw)).covariance(points, points);
    for (Index i = 0; i < 3; ++i) process.add_run(chosen.row(i), process.nugget());
    process.update(seen_before);
    const DrawProcess::Points seen_after = process.at(points);
    EXPECT_LT((process.covariance(seen_before, seen_after) - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((seen_after.c - expected.diagonal()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Trend, DrawProcessWith, testing::Values("none", "constant", "linear"));

}  // namespace
}  // namespace ta2s2
