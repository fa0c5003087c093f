#include "ta2s2/predictive/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

struct Problem {
  std::shared_ptr<const GpModel> model;
  Scaling scaling{Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0};
  ParameterSpace space = ParameterSpace::with_sampled_nugget(test::input_names(2));
  PosteriorSample sample;

  explicit Problem(const std::string& covariance, const std::string& trend)
      : model(std::make_shared<const GpModel>(test::small_model(14, 2, trend, covariance))),
        sample{{}, Matrix(3, 2), Vector{{0.4, 0.6}}, Vector::Zero(2)} {
    sample.positions << -1.5, 0.5,  //
        -0.5, -2.0,                 //
        -6.0, -4.0;
  }
  Predictive predictive() const { return Predictive(model, scaling, space, sample); }
  ConditionalPredictor predictor(Index draw) const {
    return ConditionalPredictor(*model, space.natural(sample.positions.col(draw)));
  }
};

// Points with one input fixed and the other at the middles of `count` equal parts of its range.
Matrix across(Index fixed, double at, Index count) {
  Matrix points(count, 2);
  for (Index i = 0; i < count; ++i) {
    points(i, fixed) = at;
    points(i, 1 - fixed) = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  }
  return points;
}

class MainEffectsOf : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// The midpoint rule of 400 parts errs by 1/(24 400^2) times the curvature of a process with length-scales above 0.3:
// 1e-5.
TEST_P(MainEffectsOf, AreAveragesOverTheOtherInput) {
  const auto& [covariance, trend] = GetParam();
  const Problem problem(covariance, trend);
  ThreadExecutor executor(2);
  const MainEffects effects = main_effects(problem.predictive(), 5, executor);
  const double df = static_cast<double>(problem.model->degrees_of_freedom());
  double farthest_of_slices = 0.0;
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor = problem.predictor(draw);
    for (Index input = 0; input < 2; ++input) {
      for (const Index g : {Index{0}, Index{3}}) {
        const Matrix points = across(input, effects.grid[g], 400);
        Vector mean, c, at_middle;
        predictor.predict(points, mean, c);
        const Index column = input * 5 + g;
        EXPECT_NEAR(effects.values.means(draw, column), 100.0 + 8.0 * mean.mean(), 2e-4);
        const double variance = predictor.S2() / df * predictor.covariance(points, points).mean();
        EXPECT_NEAR(effects.values.scales(draw, column), 8.0 * std::sqrt(variance), 2e-3);
        predictor.predict(across(input, effects.grid[g], 1), at_middle, c);
        farthest_of_slices =
            std::max(farthest_of_slices, std::abs(effects.values.means(draw, column) - 100.0 - 8.0 * at_middle[0]));
      }
    }
  }
  // The mutant that takes a slice through the middle for an average would be seen.
  EXPECT_GT(farthest_of_slices, 0.1);
}

INSTANTIATE_TEST_SUITE_P(List, MainEffectsOf,
                         testing::Combine(testing::ValuesIn(covariance_examples()),
                                          testing::Values("none", "constant", "linear", "terms(x2,x1^2)")));

TEST(MainEffects, ThreadsChangeNoBit) {
  const Problem problem("matern52", "constant");
  ThreadExecutor one(1), three(3);
  const MainEffects a = main_effects(problem.predictive(), 7, one), b = main_effects(problem.predictive(), 7, three);
  EXPECT_EQ(a.values.means, b.values.means);
  EXPECT_EQ(a.values.scales, b.values.scales);
}

// Jansen's estimator written down as it stands, on the same points.
TEST(TotalEffects, AreShareOfTheVarianceThatAnInputAloneMakes) {
  const Problem problem("matern52", "terms(x2,x1^2)");
  ThreadExecutor executor(2);
  const Matrix effects = total_effects(problem.predictive(), 64, executor);
  const Matrix both = make_design({4, 64, DesignKind::random, 1});
  for (Index draw = 0; draw < 2; ++draw) {
    const ConditionalPredictor predictor = problem.predictor(draw);
    Vector unchanged, mean, c;
    predictor.predict(both.leftCols(2), unchanged, c);
    const double variance = (unchanged.array() - unchanged.mean()).square().mean();
    for (Index input = 0; input < 2; ++input) {
      Matrix points = both.leftCols(2);
      points.col(input) = both.col(2 + input);
      predictor.predict(points, mean, c);
      EXPECT_NEAR(effects(draw, input), 0.5 * (unchanged - mean).squaredNorm() / 64.0 / variance, 1e-9);
    }
  }
}

// y = sin(2 pi x1) + x2 - 1/2 has variances 1/2 and 1/12, and x3 does nothing: total effects 6/7, 1/7 and 0. The
// emulator of 60 runs errs by percents; 4096 points leave 2% of each.
TEST(TotalEffects, KnowAnAdditiveFunction) {
  const Matrix X = make_design({3, 60, DesignKind::maximin, 1});
  Vector y(60);
  for (Index i = 0; i < 60; ++i) y[i] = std::sin(2.0 * M_PI * X(i, 0)) + X(i, 1) - 0.5;
  const auto model = std::make_shared<const GpModel>(X, y, Trend("constant", test::input_names(3)),
                                                     make_covariance("squared-exponential"));
  PosteriorSample sample{{}, Matrix(4, 1), Vector::Ones(1), Vector::Zero(1)};
  sample.positions << std::log(0.1), std::log(4.0), std::log(100.0), -18.0;
  const Predictive predictive(model, Scaling(Vector::Zero(3), Vector::Ones(3), 0.0, 1.0),
                              ParameterSpace::with_sampled_nugget(test::input_names(3)), sample);
  ThreadExecutor executor(2);
  const Matrix effects = total_effects(predictive, 4096, executor);
  EXPECT_NEAR(effects(0, 0), 6.0 / 7.0, 0.05);
  EXPECT_NEAR(effects(0, 1), 1.0 / 7.0, 0.02);
  EXPECT_LT(effects(0, 2), 1e-3);
}

}  // namespace
}  // namespace ta2s2
