#include "ta2s2/predictive/leave_one_out.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

constexpr Index kRuns = 12;

Vector normalised(Vector log_weights) {
  log_weights.array() -= log_weights.maxCoeff();
  const Vector weights = log_weights.array().exp();
  return weights / weights.sum();
}

double log_likelihood_at(const GpModel& model, const GpParameters& parameters) {
  GpFactor factor;
  EXPECT_EQ(factorise(model, parameters, factor), Impossible::no);
  return log_likelihood(model, factor);
}

GpModel without_run(const GpModel& model, Index left_out) {
  std::vector<Index> rest;
  for (Index i = 0; i < model.num_runs(); ++i) {
    if (i != left_out) rest.push_back(i);
  }
  return GpModel(model.X()(rest, Eigen::all), model.y()(rest), model.trend(), make_covariance("matern52"));
}

// A posterior under a flat prior on scattered points of the box: its weights are likelihoods.
class LeftOut : public testing::Test {
 protected:
  const std::shared_ptr<const GpModel> model =
      std::make_shared<const GpModel>(test::small_model(kRuns, 2, "constant", "matern52"));
  const Scaling scaling{Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0};
  const ParameterSpace space = ParameterSpace::with_sampled_nugget(test::input_names(2));
  ThreadExecutor executor{2};

  PosteriorSample posterior(Index draws) const {
    PosteriorSample sample{{}, Matrix(3, draws), Vector(draws), Vector::Zero(draws)};
    const Matrix unit = test::scattered_points(draws, 3, 5);
    for (Index i = 0; i < draws; ++i) {
      sample.positions.col(i) << -3.0 + 4.0 * unit(i, 0), -3.0 + 4.0 * unit(i, 1), -12.0 + 8.0 * unit(i, 2);
      sample.weights[i] = log_likelihood_at(*model, space.natural(sample.positions.col(i)));
    }
    sample.weights = normalised(sample.weights);
    return sample;
  }

  // What the weights are if the fit is really made again without the run.
  Vector refitted_weights(const PosteriorSample& sample, Index run) const {
    const GpModel rest = without_run(*model, run);
    Vector log_weights(sample.size());
    for (Index i = 0; i < sample.size(); ++i) {
      log_weights[i] = log_likelihood_at(rest, space.natural(sample.positions.col(i)));
    }
    return normalised(log_weights);
  }
};

// Of twenty draws no tail can be fitted, so that nothing is smoothed and the weights must be those of a refit.
TEST_F(LeftOut, WeightsAreThoseOfARefit) {
  const PosteriorSample sample = posterior(20);
  const LeftOutRuns runs = leave_one_out(Predictive(model, scaling, space, sample), 1.0, executor);
  double farthest_of_plain_average = 0.0;
  for (Index run = 0; run < kRuns; ++run) {
    const Vector expected = refitted_weights(sample, run);
    // Log likelihoods of size 10 with condition numbers up to 1e6: ten digits.
    EXPECT_LT((runs.weights.col(run) - expected).cwiseAbs().maxCoeff(), 1e-8) << run;
    EXPECT_EQ(runs.k_hat[static_cast<std::size_t>(run)], kInfinity);
    farthest_of_plain_average = std::max(farthest_of_plain_average, (sample.weights - expected).cwiseAbs().maxCoeff());
  }
  // The mutant that forgets to weigh anew would be seen.
  EXPECT_GT(farthest_of_plain_average, 0.05);
}

TEST_F(LeftOut, ComponentsAreThoseOfARefit) {
  const PosteriorSample sample = posterior(20);
  const LeftOutRuns runs = leave_one_out(Predictive(model, scaling, space, sample), 1.0, executor);
  for (const Index run : {Index{0}, Index{7}}) {
    const GpModel rest = without_run(*model, run);
    for (Index i = 0; i < sample.size(); ++i) {
      const ConditionalPredictor refit(rest, space.natural(sample.positions.col(i)));
      Vector mean, c;
      refit.predict(model->X().row(run), mean, c);
      const double df = static_cast<double>(refit.degrees_of_freedom());
      EXPECT_EQ(runs.degrees_of_freedom, df);
      EXPECT_NEAR(runs.means(i, run), 100.0 + 8.0 * mean[0], 1e-7);
      EXPECT_NEAR(runs.scales(i, run) / (8.0 * std::sqrt(refit.S2() / df * (c[0] + refit.nugget()))), 1.0, 1e-7);
    }
  }
}

// With many draws the tail is smoothed. The mixture then still predicts as a refit does, to a share of its spread: a
// tail of 3 sqrt(S) draws holds some tenths of the weight, and smoothing moves that by a few percent.
TEST_F(LeftOut, SmoothedMixturePredictsAsARefit) {
  const PosteriorSample sample = posterior(2000);
  const LeftOutRuns runs = leave_one_out(Predictive(model, scaling, space, sample), 1.0, executor);
  for (Index run = 0; run < kRuns; ++run) {
    const StudentMixture mixture = runs.at(run);
    const double expected = refitted_weights(sample, run).dot(runs.means.col(run));
    EXPECT_NEAR(mixture.mean(), expected, 0.05 * std::sqrt(mixture.variance())) << run;
    EXPECT_TRUE(std::isfinite(runs.k_hat[static_cast<std::size_t>(run)])) << run;
    EXPECT_NEAR(runs.weights.col(run).sum(), 1.0, 1e-12);
  }
}

TEST_F(LeftOut, ThreadsChangeNoBit) {
  const Predictive predictive(model, scaling, space, posterior(50));
  ThreadExecutor one(1), three(3);
  const LeftOutRuns a = leave_one_out(predictive, 1.0, one), b = leave_one_out(predictive, 1.0, three);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.means, b.means);
  EXPECT_EQ(a.scales, b.scales);
}

TEST_F(LeftOut, ARunThatTheTrendNeedsIsNotKnown) {
  Matrix X = test::scattered_points(8, 2);
  X.col(1).setZero();
  X(4, 1) = 1.0;  // the only run that tells the slope along the second input
  const auto sloped = std::make_shared<const GpModel>(X, test::smooth_output(X), Trend("linear", test::input_names(2)),
                                                      make_covariance("matern52"));
  const LeftOutRuns runs = leave_one_out(Predictive(sloped, scaling, space, posterior(20)), 1.0, executor);
  for (Index run = 0; run < 8; ++run) EXPECT_EQ(runs.is_known[static_cast<std::size_t>(run)], run != 4);
  EXPECT_THROW(runs.at(4), std::exception);
}

}  // namespace
}  // namespace ta2s2
