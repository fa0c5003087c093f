#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/leave_one_out.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

// 200 log ratios of a Pareto law, u_i = ((37 i mod 200) + 1/2) / 200: log ratio -k log(1 - u).
std::vector<double> pareto_log_ratios(double k) {
  std::vector<double> log_ratios;
  for (int i = 0; i < 200; ++i) log_ratios.push_back(-k * std::log1p(-((37 * i) % 200 + 0.5) / 200.0));
  return log_ratios;
}

// Zhang and Stephens's estimator by scipy 1.10: theta_j = 1/x_n + (1 - sqrt(m/(j - 1/2))) / (3 x_quartile),
// k_j = mean log1p(-theta_j x), weights from genpareto.logpdf(x, k_j, scale=-k_j/theta_j).sum(); k then (n k
// + 5) / (n + 10).
TEST(GeneralisedPareto, FitAgreesWithScipy) {
  std::vector<double> excesses;
  for (int i = 0; i < 41; ++i) excesses.push_back((i + 1) / 10.0 * (1.0 + i / 20.0));
  const GeneralisedPareto fit = fit_generalised_pareto(excesses);
  EXPECT_NEAR(fit.shape, -0.29816660211729723, 1e-12);
  EXPECT_NEAR(fit.scale, 7.312771697238614, 1e-11);
}

TEST(GeneralisedPareto, QuantileInvertsTheDistributionFunction) {
  for (const double k : {-0.4, 0.0, 1e-12, 0.7}) {
    const GeneralisedPareto law{k, 2.0};
    for (const double u : {0.01, 0.5, 0.99}) {
      const double x = law.quantile(u);
      const double survival = std::abs(k) < 1e-9 ? std::exp(-x / 2.0) : std::pow(1.0 + k * x / 2.0, -1.0 / k);
      EXPECT_NEAR(1.0 - survival, u, 1e-9);  // 1e-12: the exponential is its limit to k x^2 / 8
    }
  }
}

// The same by numpy: tail of min(S/5, 3 sqrt S) = 40, cutoff the 41st largest, order statistics by
// genpareto.ppf((j - 1/2)/40).
TEST(ParetoSmooth, AgreesWithScipy) {
  const SmoothedWeights light = pareto_smooth(pareto_log_ratios(0.3));
  EXPECT_NEAR(light.k_hat, 0.3490369714739885, 1e-12);
  EXPECT_NEAR(light.log_weights[0], -5.652888808985162, 1e-12);
  EXPECT_NEAR(light.log_weights[27], -3.8562003839181966, 1e-12);  // the largest
  EXPECT_NEAR(light.log_weights[173], -5.65138126812436, 1e-12);
  const SmoothedWeights heavy = pareto_smooth(pareto_log_ratios(0.9));
  EXPECT_NEAR(heavy.k_hat, 0.7876963633073657, 1e-12);
  EXPECT_NEAR(heavy.log_weights[0], -6.83952543990958, 1e-12);
  EXPECT_NEAR(heavy.log_weights[27], -1.7777703864591288, 1e-12);
  EXPECT_NEAR(heavy.log_weights[173], -6.835002817327174, 1e-12);
}

TEST(ParetoSmooth, NormalisesKeepsTheOrderAndTheBody) {
  const std::vector<double> raw = pareto_log_ratios(0.6);
  const std::vector<double> smooth = pareto_smooth(raw).log_weights;
  EXPECT_NEAR(log_sum_exp(smooth), 0.0, 1e-13);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    for (std::size_t j = 0; j < raw.size(); ++j) {
      if (raw[i] <= raw[j]) {
        ASSERT_LE(smooth[i], smooth[j]);
      }
    }
  }
  EXPECT_NEAR(smooth[173] - smooth[0], raw[173] - raw[0], 1e-13);  // two of the smallest: untouched
}

TEST(ParetoSmooth, DoesNotDependOnAConstantInTheLog) {
  std::vector<double> shifted = pareto_log_ratios(0.6);
  for (double& value : shifted) value -= 5000.0;
  const SmoothedWeights plain = pareto_smooth(pareto_log_ratios(0.6));
  const SmoothedWeights moved = pareto_smooth(shifted);
  EXPECT_NEAR(moved.k_hat, plain.k_hat, 1e-9);  // log ratios near 5000 are known to 1e-12
  for (std::size_t i = 0; i < shifted.size(); ++i) EXPECT_NEAR(moved.log_weights[i], plain.log_weights[i], 1e-9);
}

// Mean k-hat over 50 samples of S = 4000 with 190 in the tail. One estimate has sd near (1 + k) / sqrt(190),
// the mean of 50 a seventh of it; the prior moves it by (0.5 - k) 10 / 200. k = 0.5 and k = 0.9 cannot be
// taken for one another.
TEST(ParetoSmooth, FindsTheShapeOfATail) {
  Stream stream({.seed = 9, .purpose = Purpose::resample});
  for (const double k : {0.2, 0.5, 0.9}) {
    double sum = 0.0;
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::vector<double> log_ratios;
      for (int i = 0; i < 4000; ++i) log_ratios.push_back(k * draw_exponential(stream));
      sum += pareto_smooth(log_ratios).k_hat;
    }
    const double expected = k + (0.5 - k) * 10.0 / 200.0;
    EXPECT_NEAR(sum / 50.0, expected, 4.0 * (1.0 + k) / std::sqrt(190.0 * 50.0)) << k;
  }
}

TEST(ParetoSmooth, CorrelatedDrawsGetALongerTail) {
  Stream stream({.seed = 2, .purpose = Purpose::resample});
  std::vector<double> log_ratios;
  for (int i = 0; i < 2000; ++i) log_ratios.push_back(0.5 * draw_exponential(stream));
  EXPECT_NE(pareto_smooth(log_ratios, 0.25).k_hat, pareto_smooth(log_ratios).k_hat);
}

TEST(ParetoSmooth, EqualWeightsHaveNoTail) {
  const SmoothedWeights equal = pareto_smooth(std::vector<double>(100, -3.0));
  EXPECT_EQ(equal.k_hat, -kInfinity);
  for (const double value : equal.log_weights) EXPECT_NEAR(value, -std::log(100.0), 1e-14);
}

TEST(ParetoSmooth, TooFewDrawsAreOnlyNormalised) {
  const std::vector<double> log_ratios = {0.0, std::log(3.0)};
  const SmoothedWeights few = pareto_smooth(log_ratios);
  EXPECT_EQ(few.k_hat, kInfinity);
  EXPECT_NEAR(few.log_weights[1], std::log(0.75), 1e-15);
}

// Chains that stayed put give many equal ratios, here half of the tail at the cutoff; impossible draws keep
// weight zero.
TEST(ParetoSmooth, TakesTiesAtTheCutoffAndImpossibleDraws) {
  std::vector<double> log_ratios(200, -kInfinity);
  for (std::size_t i = 100; i < 200; ++i) log_ratios[i] = i < 180 ? 0.0 : 0.1 * static_cast<double>(i - 179);
  const SmoothedWeights smooth = pareto_smooth(log_ratios);
  EXPECT_TRUE(std::isfinite(smooth.k_hat));
  EXPECT_NEAR(log_sum_exp(smooth.log_weights), 0.0, 1e-13);
  EXPECT_EQ(smooth.log_weights[0], -kInfinity);
}

TEST(ParetoSmooth, RefusesWhatIsNoSetOfRatios) {
  EXPECT_THROW(pareto_smooth({}), Error);
  EXPECT_THROW(pareto_smooth(std::vector<double>{-kInfinity, -kInfinity}), Error);
  EXPECT_THROW(pareto_smooth(std::vector<double>{0.0, std::nan("")}), Error);
  EXPECT_THROW(pareto_smooth(std::vector<double>{0.0, kInfinity}), Error);
  EXPECT_THROW(pareto_smooth(pareto_log_ratios(0.5), 0.0), Error);
}

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
    const PredictiveLaw mixture = runs.at(run);
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
