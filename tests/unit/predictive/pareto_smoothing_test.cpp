#include "ta2s2/predictive/pareto_smoothing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

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

}  // namespace
}  // namespace ta2s2
