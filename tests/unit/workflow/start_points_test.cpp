#include "ta2s2/workflow/start_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// Of p inputs the first acts linearly and the second as a parabola about its middle; the others do nothing.
OutputRuns two_of(Index p, Index n = 60) {
  const Matrix X = make_design({p, n, DesignKind::random, 5});
  Vector y(n);
  for (Index i = 0; i < n; ++i) y[i] = 2.0 * X(i, 0) + 6.0 * std::pow(X(i, 1) - 0.5, 2);
  std::vector<std::string> names;
  for (Index d = 0; d < p; ++d) names.push_back("x" + std::to_string(d));
  return OutputRuns(X, y, names, "y");
}

GpTarget target_of(const OutputRuns& data, const std::vector<Setting>& settings = {}) {
  return make_target(data, Scaling::from(data), test::small_options(settings));
}

TEST(Screening, SeesLinesAndParabolas) {
  const OutputRuns data = two_of(8);
  const Vector found = screening_correlations(data.inputs(), data.output());
  EXPECT_GT(found[0], 0.5);
  EXPECT_GT(found[1], 0.5);  // a mutant without squares sees nothing here
  // Of 60 runs a correlation by chance has a standard error of 0.13.
  EXPECT_LT(found.tail(6).maxCoeff(), 0.5);
}

TEST(StartPoints, OfFewInputsIsOne) {
  const GpTarget target = target_of(two_of(4), {{"prior", "sparse-jointly-robust"}});
  const Matrix points = start_points(target);
  ASSERT_EQ(points.cols(), 1);
  EXPECT_NEAR(points(0, 0), 1.0 + 0.7 * std::log(4.0), 1e-12);
  EXPECT_NEAR(nugget_from_position(points(4, 0)), std::exp(-9.0), 1e-9);
}

TEST(StartPoints, OfManyInputsHaveThoseThatMatterShort) {
  const GpTarget target = target_of(two_of(12), {{"prior", "sparse-jointly-robust"}});
  const Matrix points = start_points(target);
  ASSERT_EQ(points.cols(), 2);
  EXPECT_EQ(points(0, 1), 1.0);
  EXPECT_EQ(points(1, 1), 1.0);
  // The third of those that are always short is there by chance.
  EXPECT_GE((points.col(1).head(12).array() == 1.0).count(), 3);
  EXPECT_GE((points.col(1).head(12).array() == 8.0).count(), 6);
  EXPECT_NEAR(nugget_from_position(points(12, 1)), std::exp(-12.0), 1e-9);
}

TEST(StartPoints, LieInsideTheBox) {
  for (const std::string nugget : {"log-uniform", "fixed(1e-6)"}) {
    const GpTarget target = target_of(two_of(6), {{"box", "-1,2"}, {"nugget", nugget}});
    const Matrix points = start_points(target);
    for (Index i = 0; i < points.cols(); ++i) {
      EXPECT_TRUE((points.col(i).array() > target.space().low().array()).all());
      EXPECT_TRUE((points.col(i).array() < target.space().high().array()).all());
    }
  }
}

TEST(StartFrom, TakesLengthScalesAndNuggetAndNothingElse) {
  const std::vector<std::string> inputs = {"a", "b"};
  const auto plain = ParameterSpace::with_sampled_nugget(inputs);
  const OutputTransform box_cox(TransformKind::box_cox, 1.0, 0.0, 1.0);
  const ParameterSpace transformed = plain.with_normal_coordinates(std::nullopt, box_cox.coordinates());
  const Vector here{{0.5, 3.0, -12.0}};
  const Vector there = start_from(transformed, plain, here);
  EXPECT_LT((there.head(3) - here).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(there[3], box_cox.coordinates()[0].mean);
  EXPECT_EQ(there[4], box_cox.coordinates()[1].mean);
  EXPECT_LT((start_from(plain, transformed, there) - here).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace ta2s2
