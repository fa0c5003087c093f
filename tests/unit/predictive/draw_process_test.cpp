#include "ta2s2/predictive/draw_process.hpp"

#include <gtest/gtest.h>

#include "unit/predictive/two_draws.hpp"

namespace ta2s2 {
namespace {

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
