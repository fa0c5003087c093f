#include "ta2s2/gp/gp_model.hpp"

#include <gtest/gtest.h>

#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

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
