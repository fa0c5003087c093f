#include "ta2s2/predictive/activity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/predictive.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

using Function = std::function<double(double curved, double linear, double inert)>;

// Squared length-scales far beyond the range: a process that is a straight line, and one that is constant.
constexpr double kStraight = 1e3, kConstant = 1e10;
const Vector kCurvedLinearInert{{0.1, kStraight, kConstant}};

// Forty runs of three inputs.
std::shared_ptr<const GpModel> model_of(const Function& f, const std::string& trend = "constant",
                                        const std::string& transform = "none") {
  const Matrix X = test::scattered_points(40, 3);
  Vector y(X.rows());
  for (Index i = 0; i < y.size(); ++i) y[i] = f(X(i, 0), X(i, 1), X(i, 2));
  return std::make_shared<const GpModel>(X, y, Trend(trend, test::input_names(3)), make_covariance("matern52"),
                                         Exponent::model, TrendPrior::flat, OutputTransform::from(transform, y, 0.0));
}

double curved_and_linear(double curved, double linear, double) {
  return std::sin(6.0 * curved) + 2.0 * linear;
}

GpParameters draw_of(const Vector& phi) {
  return {phi, 1e-6};
}

// One draw for each column of squared length-scales.
Predictive predictive_of(const std::shared_ptr<const GpModel>& model, const std::vector<Vector>& phis,
                         const Vector& weights) {
  const ParameterSpace space = ParameterSpace::with_sampled_nugget(test::input_names(3));
  const auto draws = static_cast<Index>(phis.size());
  PosteriorSample sample{{}, Matrix(space.dim(), draws), weights, Vector::Zero(draws)};
  for (Index k = 0; k < draws; ++k) {
    sample.positions.col(k) = space.position(draw_of(phis[static_cast<std::size_t>(k)]));
  }
  return Predictive(model, Scaling(Vector::Zero(3), Vector::Ones(3), 0.0, 1.0), space, sample);
}

Activity activity_of(const std::shared_ptr<const GpModel>& model, const std::vector<Vector>& phis,
                     const Vector& weights, int threads = 2) {
  ThreadExecutor executor(threads);
  return find_activity(predictive_of(model, phis, weights), executor);
}
Activity activity_of(const std::shared_ptr<const GpModel>& model, const Vector& phi) {
  return activity_of(model, {phi}, Vector::Ones(1));
}

TEST(Activity, TellsACurvedFromALinearFromAnInertInput) {
  const Activity found = activity_of(model_of(curved_and_linear), kCurvedLinearInert);
  EXPECT_EQ(found.active, (Vector{{1.0, 1.0, 0.0}}));
  EXPECT_EQ(found.linear, (Vector{{0.0, 1.0, 0.0}}));
}

// The process ignores the last two inputs, and the trend has the second one's slope.
TEST(Activity, CountsTheTrendsSlope) {
  const auto f = [](double curved, double linear, double) { return std::sin(6.0 * curved) + 2.0 * linear; };
  const Activity found = activity_of(model_of(f, "linear"), Vector{{0.1, kConstant, kConstant}});
  EXPECT_EQ(found.active, (Vector{{1.0, 1.0, 0.0}}));
  EXPECT_EQ(found.linear, (Vector{{0.0, 1.0, 0.0}}));
}

// A parabola about the middle of the range has no slope on average: a mutant that averages slopes calls it inert.
TEST(Activity, SeesAParabolaOfTheTrend) {
  const auto f = [](double curved, double parabola, double) {
    return std::sin(6.0 * curved) + 4.0 * std::pow(parabola - 0.5, 2);
  };
  const Activity found = activity_of(model_of(f, "terms(x2,x2^2)"), Vector{{0.1, kConstant, kConstant}});
  EXPECT_EQ(found.active, (Vector{{1.0, 1.0, 0.0}}));
  EXPECT_EQ(found.linear, (Vector{{0.0, 0.0, 0.0}}));
}

// exp(linear) is a straight line of its logarithm, and curved without the transformation.
TEST(Activity, IsOfTheTransformedOutput) {
  const auto f = [](double curved, double linear, double) { return std::exp(std::sin(6.0 * curved) + 2.0 * linear); };
  const Activity found = activity_of(model_of(f, "constant", "log"), kCurvedLinearInert);
  EXPECT_EQ(found.active, (Vector{{1.0, 1.0, 0.0}}));
  EXPECT_EQ(found.linear, (Vector{{0.0, 1.0, 0.0}}));
}

// The squared length-scale at which the process's slope has just the least standard deviation. S2 hardly changes with
// it, so that 5% on either side decide. A mutant that takes the spread of the outputs instead of their logarithms', or
// that forgets to square, is far beyond.
TEST(Activity, BeginsAtTheStatedShare) {
  const auto f = [](double curved, double linear, double) { return std::exp(std::sin(6.0 * curved) + 2.0 * linear); };
  const auto model = model_of(f, "constant", "log");
  const ConditionalPredictor predictor(*model, draw_of(kCurvedLinearInert));
  const Vector& z = predictor.output();
  const double variance = (z.array() - z.mean()).square().sum() / static_cast<double>(z.size() - 1);
  const double degrees_of_freedom = static_cast<double>(model->degrees_of_freedom());
  const double edge = predictor.S2() / (degrees_of_freedom - 2.0) / (kActiveShare * kActiveShare * variance);
  const auto is_active = [&](double phi) { return activity_of(model, Vector{{0.1, kStraight, phi}}).active[2]; };
  EXPECT_EQ(is_active(1.05 * edge), 0.0);
  EXPECT_EQ(is_active(0.95 * edge), 1.0);
}

TEST(Activity, IsTheWeightOfTheDrawsThatLetAnInputAct) {
  const Vector curved_thrice{{0.1, 0.1, 0.1}};
  const std::vector<Vector> draws = {kCurvedLinearInert, curved_thrice};
  const Activity found = activity_of(model_of(curved_and_linear), draws, Vector{{0.7, 0.3}});
  EXPECT_DOUBLE_EQ(found.active[1], 1.0);
  EXPECT_DOUBLE_EQ(found.active[2], 0.3);
  EXPECT_DOUBLE_EQ(found.linear[1], 0.7);
  const Activity again = activity_of(model_of(curved_and_linear), draws, Vector{{0.7, 0.3}}, 3);
  EXPECT_EQ(found.active, again.active);
  EXPECT_EQ(found.linear, again.linear);
}

}  // namespace
}  // namespace ta2s2
