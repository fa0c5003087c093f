#include "ta2s2/gp/parameter_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

TEST(ParameterSpace, SampledNugget) {
  const auto space = ParameterSpace::with_sampled_nugget({"a", "b"}, {-7.0, 7.0}, {-35.0, 10.0});
  EXPECT_EQ(space.dim(), 3);
  EXPECT_TRUE(space.samples_nugget());
  EXPECT_THAT(space.names(), testing::ElementsAre("log_phi_a", "log_phi_b", "z_nugget"));
  EXPECT_NEAR(space.log_volume(), std::log(14.0 * 14.0 * 45.0), 1e-14);
  const Vector z{{-1.0, 2.0, -5.0}};
  const GpParameters natural = space.natural(z);
  EXPECT_EQ(natural.phi[1], std::exp(2.0));
  EXPECT_NEAR(natural.nugget, 1.0 / (1.0 + std::exp(5.0)), 1e-11);
  EXPECT_LT((space.position(natural) - z).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(ParameterSpace, FixedNugget) {
  const auto space = ParameterSpace::with_fixed_nugget({"a", "b"}, 1e-6);
  EXPECT_EQ(space.dim(), 2);
  EXPECT_FALSE(space.samples_nugget());
  EXPECT_EQ(space.natural(Vector{{0.0, 1.0}}).nugget, 1e-6);
  EXPECT_EQ(space.log_jacobians(Vector{{0.5, 1.0}}), (Vector{{0.5, 1.0}}));
  EXPECT_THROW(ParameterSpace::with_fixed_nugget({"a"}, -1e-9), Error);
}

TEST(ParameterSpace, NormalCoordinatesComeLast) {
  const NormalCoordinate shape{"log_shape", {-3.0, 8.0}, 2.0, 2.0};
  const std::vector<NormalCoordinate> transform = {{"a", {-1.0, 1.0}}, {"b", {-2.0, 3.0}}};
  const auto sampled = ParameterSpace::with_sampled_nugget({"x", "y"}),
             fixed = ParameterSpace::with_fixed_nugget({"x"}, 0.1);
  const auto all = sampled.with_normal_coordinates(shape, transform);
  EXPECT_EQ(all.dim(), 6);
  EXPECT_THAT(all.names(), testing::ElementsAre("log_phi_x", "log_phi_y", "z_nugget", "log_shape", "a", "b"));
  EXPECT_EQ(all.num_normal(), 3);
  EXPECT_EQ(all.first_normal(), 3);
  EXPECT_EQ(all.first_transform(), 4);
  EXPECT_TRUE(all.samples_shape());
  EXPECT_EQ(all.low().tail(3), (Vector{{-3.0, -1.0, -2.0}}));
  EXPECT_EQ(all.high().tail(3), (Vector{{8.0, 1.0, 3.0}}));
  EXPECT_NEAR(all.log_volume(), sampled.log_volume() + std::log(11.0 * 2.0 * 5.0), 1e-13);

  const Vector z{{-1.0, 2.0, -5.0, 0.5, 0.25, -1.5}};
  const GpParameters natural = all.natural(z);
  EXPECT_EQ(natural.log_shape, 0.5);
  EXPECT_EQ(natural.transform, (Vector{{0.25, -1.5}}));
  EXPECT_LT((all.position(natural) - z).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(all.log_jacobians(z).tail(3), Vector::Zero(3).eval());
  EXPECT_EQ(all.log_jacobians(z)[2], log_nugget_jacobian(-5.0));
  EXPECT_FALSE(all.contains(Vector{{-1.0, 2.0, -5.0, 0.5, 0.25, 3.5}}));

  const auto without_shape = fixed.with_normal_coordinates(std::nullopt, transform);
  EXPECT_THAT(without_shape.names(), testing::ElementsAre("log_phi_x", "a", "b"));
  EXPECT_EQ(without_shape.first_transform(), 1);
  EXPECT_EQ(without_shape.natural(Vector{{0.0, 0.5, 1.0}}).transform, (Vector{{0.5, 1.0}}));
  EXPECT_EQ(without_shape.natural(Vector{{0.0, 0.5, 1.0}}).log_shape, 0.0);
  const auto shape_alone = fixed.with_normal_coordinates(shape, {});
  EXPECT_EQ(shape_alone.natural(Vector{{0.0, 1.5}}).log_shape, 1.5);
  EXPECT_EQ(shape_alone.natural(Vector{{0.0, 1.5}}).transform.size(), 0);
  EXPECT_EQ(sampled.with_normal_coordinates(std::nullopt, {}).names(), sampled.names());
}

TEST(ParameterSpace, TheBoxIsClosedAndNanIsOutside) {
  const auto space = ParameterSpace::with_fixed_nugget({"a", "b"}, 1e-6, {-1.0, 1.0});
  EXPECT_TRUE(space.contains(Vector{{-1.0, 1.0}}));
  EXPECT_FALSE(space.contains(Vector{{0.0, 1.0 + 1e-15}}));
  EXPECT_FALSE(space.contains(Vector{{0.0, std::numeric_limits<double>::quiet_NaN()}}));
  EXPECT_THROW(ParameterSpace::with_fixed_nugget({"a"}, 0.0, {1.0, 1.0}), Error);
  EXPECT_THROW(ParameterSpace::with_sampled_nugget({"a"}, {-7, 7}, {3.0, -3.0}), Error);
}

TEST(Nugget, MapAndInverse) {
  EXPECT_NEAR(nugget_from_position(-800.0), 1e-12, 1e-27);
  EXPECT_EQ(nugget_from_position(800.0), 1.0);
  for (double z = -30.0; z <= 10.0; z += 0.5) {
    // nugget - l_b loses what exp(z) is below l_b 2^-53: at z = -30 about 1e-28 / 1e-13; 1 - nugget at z = 10
    // 1e-16 / 5e-5.
    EXPECT_NEAR(position_from_nugget(nugget_from_position(z)), z, 1e-11) << z;
  }
}

TEST(Nugget, JacobianIsTheDerivative) {
  for (double z = -20.0; z <= 10.0; z += 0.75) {
    const double h = 1e-4;
    const double slope = (nugget_from_position(z + h) - nugget_from_position(z - h)) / (2.0 * h);
    // Relative: h^2/6 = 2e-9 of truncation, and 1e-16 nugget / (h slope) of rounding, at most 1e-8 at z = 10.
    EXPECT_NEAR(std::log(slope), log_nugget_jacobian(z), 5e-8) << z;
  }
}

GpModel model_of(const Matrix& X, const Vector& y, const std::string& trend, Exponent exponent = Exponent::model) {
  return GpModel(X, y, Trend(trend, test::input_names(X.cols())), make_covariance("matern52"), exponent);
}

TEST(FirstInformative, LeavesFiveDegreesOfFreedom) {
  EXPECT_EQ(test::small_model(20, 2, "none").first_informative(), 5);
  EXPECT_EQ(test::small_model(20, 2, "constant").first_informative(), 6);
  EXPECT_EQ(test::small_model(20, 2, "linear").first_informative(), 8);
  EXPECT_EQ(test::small_model(20, 2, "none", "matern52", Exponent::paper).first_informative(), 7);
  EXPECT_EQ(test::small_model(7, 2, "linear").first_informative(), 7);  // no more runs than that
}

// Equal outputs leave nothing after a constant is taken off, and a likelihood that is infinite; equal inputs no slope.
TEST(FirstInformative, WaitsForRunsThatTheTrendDoesNotExplain) {
  const Matrix X = test::scattered_points(20, 2);
  Vector y = test::smooth_output(X);
  y.head(9).setConstant(0.25);
  EXPECT_EQ(model_of(X, y, "constant").first_informative(), 10);
  Matrix repeated = X;
  repeated.topRows(11).col(0).setConstant(0.5);
  EXPECT_EQ(model_of(repeated, test::smooth_output(X), "linear").first_informative(), 12);
  EXPECT_NO_THROW(model_of(repeated, test::smooth_output(X), "linear").first_runs(12));
}

TEST(FirstRuns, KeepOrderTrendAndExponent) {
  const GpModel all = test::small_model(12, 2, "linear");
  const GpModel first = all.first_runs(8);
  EXPECT_EQ(first.X(), all.X().topRows(8));
  EXPECT_EQ(first.y(), all.y().head(8));
  EXPECT_EQ(first.H(), all.H().topRows(8));
  EXPECT_EQ(first.residual_rank(), 5);
}

}  // namespace
}  // namespace ta2s2
