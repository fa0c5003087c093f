#include "ta2s2/predictive/predictive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

// Three draws of unequal weight on twelve runs; units are not the model's.
class SmallEmulator : public testing::Test {
 protected:
  const std::shared_ptr<const GpModel> model =
      std::make_shared<const GpModel>(test::small_model(12, 2, "constant", "matern52"));
  const Scaling scaling{Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0};
  const ParameterSpace space = ParameterSpace::with_sampled_nugget(test::input_names(2));
  const PosteriorSample sample = make_sample();
  const Predictive predictive{model, scaling, space, sample};
  const Matrix points = in_users_units(test::scattered_points(4, 2, 9));
  ThreadExecutor executor{2};

  static PosteriorSample make_sample() {
    PosteriorSample draws{{}, Matrix(3, 3), Vector(3), Vector::Zero(3)};
    draws.positions << -2.0, -1.0, 0.5,  //
        -1.0, 0.3, 1.0,                  //
        -6.0, -3.0, -2.0;
    draws.weights << 0.5, 0.2, 0.3;
    return draws;
  }
  Matrix in_users_units(const Matrix& unit) const {
    return (unit * scaling.width().asDiagonal()).rowwise() + scaling.low().transpose();
  }
  double degrees_of_freedom() const { return static_cast<double>(model->degrees_of_freedom()); }
};

TEST_F(SmallEmulator, MixtureHasOneStudentPerDraw) {
  for (const Predict what : {Predict::new_run, Predict::latent}) {
    const MixtureBlock block = predictive.mixtures(points, what, executor);
    ASSERT_EQ(block.num_points(), 4);
    EXPECT_EQ(block.weights, sample.weights);
    EXPECT_EQ(block.degrees_of_freedom, 11.0);
    for (Index i = 0; i < 3; ++i) {
      const ConditionalPredictor predictor(*model, space.natural(sample.positions.col(i)));
      Vector mean, c;
      predictor.predict(test::scattered_points(4, 2, 9), mean, c);
      const double nugget = what == Predict::new_run ? predictor.nugget() : 0.0;
      for (Index j = 0; j < 4; ++j) {
        // The way to the user's units and back costs last bits of x, which a correlation carries on.
        EXPECT_NEAR(block.means(i, j), 100.0 + 8.0 * mean[j], 1e-10);
        EXPECT_NEAR(block.scales(i, j), 8.0 * std::sqrt(predictor.S2() / 11.0 * (c[j] + nugget)), 1e-10);
      }
    }
  }
}

TEST_F(SmallEmulator, MixtureOfAPointIsAViewOfTheBlock) {
  const MixtureBlock block = predictive.mixtures(points, Predict::new_run, executor);
  for (Index j = 0; j < 4; ++j) {
    const PredictiveLaw mixture = block.at(j);
    EXPECT_NEAR(mixture.mean(), block.weights.dot(block.means.col(j)), 1e-11);
    EXPECT_EQ(mixture.plain()->df(), 11.0);
  }
}

// (2.7) written out for one pair of points.
TEST_F(SmallEmulator, CovarianceIsWithinPlusBetween) {
  const Matrix covariance = predictive.covariance(points, Predict::latent, executor);
  const MixtureBlock block = predictive.mixtures(points, Predict::latent, executor);
  const Matrix unit = scaling.to_unit(points);
  double within = 0.0, between = 0.0;
  const double mean_0 = block.at(0).mean(), mean_1 = block.at(1).mean();
  for (Index i = 0; i < 3; ++i) {
    const ConditionalPredictor predictor(*model, space.natural(sample.positions.col(i)));
    within += sample.weights[i] * 64.0 * predictor.S2() / (degrees_of_freedom() - 2.0) *
              predictor.covariance(unit, unit)(0, 1);
    between += sample.weights[i] * (block.means(i, 0) - mean_0) * (block.means(i, 1) - mean_1);
  }
  EXPECT_NEAR(covariance(0, 1), within + between, 1e-11);
  EXPECT_GT(std::abs(between), 1e-6);  // the test would see it missing
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(covariance(j, j), block.at(j).variance(), 1e-11);
}

TEST_F(SmallEmulator, TheNuggetIsOnTheDiagonalOnly) {
  const Matrix difference = predictive.covariance(points, Predict::new_run, executor) -
                            predictive.covariance(points, Predict::latent, executor);
  EXPECT_GT(difference.diagonal().minCoeff(), 1e-3);
  EXPECT_LT((difference - Matrix(difference.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), 1e-12);
}

// At its own runs the latent function with a small nugget is known, and a new run varies by the nugget.
TEST_F(SmallEmulator, InterpolatesWithASmallNugget) {
  PosteriorSample one{{}, Vector{{0.0, 0.0, -30.0}}, Vector::Ones(1), Vector::Zero(1)};
  const Predictive sharp(model, scaling, space, one);
  const MixtureBlock block = sharp.mixtures(in_users_units(model->X()), Predict::latent, executor);
  const Vector expected = 100.0 + 8.0 * model->y().array();
  EXPECT_LT((block.means.row(0).transpose() - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(block.scales.maxCoeff(), 1e-3);
}

TEST_F(SmallEmulator, JointDrawsOfRepeatedPointsAgree) {
  // One point twice: the latent function has one value there, two runs have two.
  const Matrix twice = points.row(0).replicate(2, 1);
  const Matrix latent = predictive.joint_draws(twice, Predict::latent, 20, 1, executor);
  const Matrix runs = predictive.joint_draws(twice, Predict::new_run, 20, 1, executor);
  const double sd = std::sqrt(predictive.covariance(twice, Predict::latent, executor)(0, 0));
  EXPECT_LT((latent.row(0) - latent.row(1)).cwiseAbs().maxCoeff(), 1e-3 * sd);
  EXPECT_GT((runs.row(0) - runs.row(1)).cwiseAbs().minCoeff(), 0.0);
}

TEST_F(SmallEmulator, WorkersChangeNoBit) {
  ThreadExecutor one(1), seven(7);
  EXPECT_EQ(predictive.mixtures(points, Predict::new_run, one).means,
            predictive.mixtures(points, Predict::new_run, seven).means);
  EXPECT_EQ(predictive.covariance(points, Predict::new_run, one),
            predictive.covariance(points, Predict::new_run, seven));
  EXPECT_EQ(predictive.joint_draws(points, Predict::new_run, 30, 2, one),
            predictive.joint_draws(points, Predict::new_run, 30, 2, seven));
}

TEST_F(SmallEmulator, BlockSizeFallsWithTheSampleSize) {
  EXPECT_EQ(predictive.num_inputs(), 2);
  EXPECT_EQ(predictive.num_draws(), 3);
  EXPECT_EQ(predictive.block_size(), 4096);
  PosteriorSample large{{}, sample.positions.col(0).replicate(1, 20000), Vector::Constant(20000, 1.0 / 20000), {}};
  EXPECT_EQ(Predictive(model, scaling, space, large).block_size(), 200);
}

// A quarter of one model and three quarters of another: everything is the mixture of what each says.
TEST_F(SmallEmulator, AverageOverModelsIsALongerMixture) {
  const auto rough = std::make_shared<const GpModel>(test::small_model(12, 2, "constant", "matern32"));
  const Predictive other(rough, scaling, space, sample);
  const Predictive both = Predictive::average({predictive, other}, {0.25, 0.75});
  ASSERT_EQ(both.num_draws(), 6);
  EXPECT_EQ(&both.model_of(2), model.get());
  EXPECT_EQ(&both.model_of(3), rough.get());
  EXPECT_EQ(both.parameters_of(4).phi, other.parameters_of(1).phi);
  EXPECT_NEAR(both.weights().sum(), 1.0, 1e-15);

  const MixtureBlock block = both.mixtures(points, Predict::new_run, executor);
  const MixtureBlock first = predictive.mixtures(points, Predict::new_run, executor);
  const MixtureBlock second = other.mixtures(points, Predict::new_run, executor);
  EXPECT_EQ(Matrix(block.means.topRows(3)), first.means);
  EXPECT_EQ(Matrix(block.scales.bottomRows(3)), second.scales);
  for (Index j = 0; j < 4; ++j) {
    const double x = first.at(j).mean();
    EXPECT_NEAR(block.at(j).cdf(x), 0.25 * first.at(j).cdf(x) + 0.75 * second.at(j).cdf(x), 1e-12);
  }
  const Matrix covariance = both.covariance(points, Predict::new_run, executor);
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(covariance(j, j), block.at(j).variance(), 1e-9 * covariance(j, j));
}

TEST_F(SmallEmulator, RefusesToAverageOverOtherRunsOrDegreesOfFreedom) {
  const auto fewer = std::make_shared<const GpModel>(test::small_model(11, 2, "constant", "matern52"));
  const auto straight = std::make_shared<const GpModel>(test::small_model(12, 2, "linear", "matern52"));
  for (const auto& model_of_other : {fewer, straight}) {
    const Predictive other(model_of_other, scaling, space, sample);
    EXPECT_THROW((Predictive::average({predictive, other}, {0.5, 0.5})), Error);
  }
}

}  // namespace
}  // namespace ta2s2
