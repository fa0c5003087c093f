// Joint predictions of transformed outputs: draws have the moments of the laws, and covariances those of draws.
#include "ta2s2/predictive/joint_predictions.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "unit/predictive/transformed_runs.hpp"

namespace ta2s2 {
namespace {

constexpr Index kJointDraws = 20'000;
// 78 comparisons: one of them is beyond five standard errors by chance once in 20,000 choices of a seed.
constexpr double kErrorsOfJoint = 5.0;

// Two of the four lie close together.
Matrix four_points() {
  return Matrix{{10.6, -0.7}, {12.5, 0.0}, {14.2, 0.6}, {14.2, 0.66}};
}

struct Joint {
  Matrix draws, covariance;
  Vector mean, sd;
};

Joint predict_jointly(const Predictive& predictive) {
  ThreadExecutor executor(2);
  const Matrix points = four_points();
  Joint joint{predictive.joint_draws(points, Predict::new_run, kJointDraws, 7, executor),
              predictive.covariance(points, Predict::new_run, executor),
              predictive.means(points, Predict::new_run, executor), Vector(4)};
  const MixtureBlock block = predictive.mixtures(points, Predict::new_run, executor);
  for (Index i = 0; i < 4; ++i) joint.sd[i] = std::sqrt(block.at(i).variance());
  return joint;
}

// In standard errors, the largest over pairs of points, of `covariance` from that of the draws.
double farthest_covariance(const Joint& joint, const Matrix& covariance) {
  const Matrix away = joint.draws.colwise() - joint.mean;
  double worst = 0.0;
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Eigen::RowVectorXd products = away.row(i).cwiseProduct(away.row(j));
      const double error = std::sqrt((products.array() - products.mean()).square().mean() / kJointDraws);
      worst = std::max(worst, std::abs(products.mean() - covariance(i, j)) / error);
    }
  }
  return worst;
}

double farthest_mean(const Joint& joint) {
  const Vector difference = joint.draws.rowwise().mean() - joint.mean;
  return (difference.cwiseAbs().cwiseQuotient(joint.sd) * std::sqrt(static_cast<double>(kJointDraws))).maxCoeff();
}

class JointPredictions : public testing::TestWithParam<const char*> {};

TEST_P(JointPredictions, OfTransformedOutputsAgree) {
  const Predictive predictive = test::TransformedRuns(GetParam(), "matern52").predictive(2);
  const Joint joint = predict_jointly(predictive);
  EXPECT_LT(farthest_mean(joint), kErrorsOfJoint);
  EXPECT_LT(farthest_covariance(joint, joint.covariance), kErrorsOfJoint);
  EXPECT_LT((joint.covariance.diagonal().cwiseSqrt() - joint.sd).cwiseQuotient(joint.sd).cwiseAbs().maxCoeff(), 1e-12);
}

// The mutant: points that know nothing of each other.
TEST_P(JointPredictions, WithoutCorrelationsAreCaught) {
  const Joint joint = predict_jointly(test::TransformedRuns(GetParam(), "matern52").predictive(2));
  EXPECT_GT(farthest_covariance(joint, joint.covariance.diagonal().asDiagonal()), kErrorsOfJoint);
}

// Recalibration widens each point's draws as it widens the point's law, and keeps their ranks.
TEST_P(JointPredictions, AreRecalibratedPointByPoint) {
  const Predictive plain = test::TransformedRuns(GetParam(), "matern52").predictive(2);
  const Joint before = predict_jointly(plain), after = predict_jointly(plain.recalibrated(1.4));
  EXPECT_LT(farthest_mean(after), kErrorsOfJoint);
  const Vector spread = (after.draws.colwise() - after.mean).rowwise().squaredNorm() / kJointDraws;
  // The sd of 20,000 draws errs by 0.5% of itself if they are normal; fourth moments of these laws are up to 20 times
  // as large. Without recalibration it would be off by a sixth or more.
  EXPECT_LT((spread.cwiseSqrt().cwiseQuotient(after.sd).array() - 1.0).abs().maxCoeff(), 0.08);
  EXPECT_GT((after.sd.cwiseQuotient(before.sd)).minCoeff(), 1.2);
  for (Index k = 1; k < 100; ++k) {
    for (Index i = 0; i < 4; ++i) {
      EXPECT_EQ(before.draws(i, k) < before.draws(i, k - 1), after.draws(i, k) < after.draws(i, k - 1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Transforms, JointPredictions, testing::Values("log", "box-cox", "sinh-arcsinh"));

}  // namespace
}  // namespace ta2s2
