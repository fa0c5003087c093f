#include "ta2s2/linalg/weighted_covariance.hpp"

#include <gtest/gtest.h>

namespace ta2s2 {
namespace {

constexpr double kRounding = 1e-14;

Matrix three_points() {
  Matrix points(2, 3);
  points << 0.0, 2.0, 1.0,  //
      0.0, 0.0, 3.0;
  return points;
}

TEST(WeightedMoments, AgreesWithSumsDoneByHand) {
  const WeightedMoments moments = weighted_moments(three_points(), Vector{{0.5, 0.25, 0.25}});
  // mean = (0.75, 0.75); E x^2 = 1.25, E y^2 = 2.25, E xy = 0.75.
  EXPECT_TRUE(moments.mean.isApprox(Vector{{0.75, 0.75}}, kRounding));
  const Matrix expected{{1.25 - 0.5625, 0.75 - 0.5625}, {0.75 - 0.5625, 2.25 - 0.5625}};
  EXPECT_TRUE(moments.covariance.isApprox(expected, kRounding));
}

TEST(WeightedMoments, APointWithoutWeightDoesNotCount) {
  const WeightedMoments moments = weighted_moments(three_points(), Vector{{0.5, 0.5, 0.0}});
  EXPECT_EQ(moments.mean, (Vector{{1.0, 0.0}}));
  EXPECT_EQ(moments.covariance, (Matrix{{1.0, 0.0}, {0.0, 0.0}}));
}

TEST(WeightedMoments, AShiftChangesOnlyTheMean) {
  const Vector weights{{0.2, 0.3, 0.5}};
  const Vector shift{{1e6, -1e6}};
  const WeightedMoments here = weighted_moments(three_points(), weights);
  const WeightedMoments there = weighted_moments(three_points().colwise() + shift, weights);
  // Positions near 1e6 are known to 1e-10, so are their centred values of order one.
  EXPECT_TRUE(there.covariance.isApprox(here.covariance, 1e-9));
  EXPECT_TRUE(there.mean.isApprox(here.mean + shift, kRounding));
}

TEST(RegularisedFactor, ReproducesAGoodCovariance) {
  const Matrix covariance{{2.0, 0.6, 0.1}, {0.6, 1.0, -0.3}, {0.1, -0.3, 0.5}};
  const Matrix factor = regularised_factor(covariance);
  EXPECT_TRUE(factor.isLowerTriangular());
  // The ridge is 1e-12 of the mean variance.
  EXPECT_TRUE((factor * factor.transpose()).isApprox(covariance, 1e-11));
}

class SingularCovariance : public testing::TestWithParam<Matrix> {};

// A ridge far below the variances is enough for a rank-deficient matrix, whatever its units.
TEST_P(SingularCovariance, GetsAFactorCloseToIt) {
  const Matrix& covariance = GetParam();
  const Matrix factor = regularised_factor(covariance);
  EXPECT_TRUE(factor.allFinite());
  EXPECT_GT(factor.diagonal().minCoeff(), 0.0);
  EXPECT_LE((factor * factor.transpose() - covariance).norm(), 1e-7 * covariance.trace());
}

INSTANTIATE_TEST_SUITE_P(Units, SingularCovariance,
                         testing::Values(Matrix{{1.0, 1.0}, {1.0, 1.0}}, Matrix{{1.0, 0.0}, {0.0, 0.0}},
                                         Matrix{{1e24, -1e24}, {-1e24, 1e24}}, Matrix{{1e-24, 1e-24}, {1e-24, 1e-24}}));

TEST(RegularisedFactor, OfPointsThatNeverMovedIsTinyButUsable) {
  const Matrix factor = regularised_factor(Matrix::Zero(3, 3));
  EXPECT_TRUE(factor.isApprox(1e-6 * Matrix::Identity(3, 3), 1e-12));
}

}  // namespace
}  // namespace ta2s2
