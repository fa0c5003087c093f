#include "ta2s2/rng/draws.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "unit/rng/kolmogorov_smirnov.hpp"

namespace ta2s2 {
namespace {

// Seeds are fixed, so a test that passes once passes always; alpha says how surprising a change of the draws'
// code would have to be. The file makes fewer than 100 comparisons: a right change fails one with probability
// below 1e-4.
constexpr double kAlpha = 1e-6;
constexpr double kSds = 4.9;  // two-sided normal point of kAlpha
constexpr std::size_t kDraws = 50000;

Stream stream_of(std::uint64_t chain) {
  return Stream({11, Purpose::move, 0, chain, 0});
}

template <typename Draw>
std::vector<double> draw_many(std::uint64_t chain, Draw draw) {
  Stream stream = stream_of(chain);
  std::vector<double> draws(kDraws);
  for (double& x : draws) x = draw(stream);
  return draws;
}

double mean_of(const std::vector<double>& draws) {
  double sum = 0.0;
  for (const double x : draws) sum += x;
  return sum / static_cast<double>(draws.size());
}

double mean_square_of(std::vector<double> draws, double centre) {
  for (double& x : draws) x = (x - centre) * (x - centre);
  return mean_of(draws);
}

double standard_error(double variance) {
  return std::sqrt(variance / static_cast<double>(kDraws));
}

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

// P(a, x) by its series x^a e^-x sum_k x^k / Gamma(a + k + 1); its terms are positive, so it is good to
// rounding.
double gamma_cdf(double shape, double x) {
  double term = std::exp(shape * std::log(x) - x - std::lgamma(shape + 1.0));
  double sum = term;
  for (int k = 1; k < 1000 && term > 1e-17 * sum; ++k) sum += term *= x / (shape + k);
  return sum;
}

TEST(DrawUniform, IsUniform) {
  const auto draws = draw_many(1, draw_uniform);
  EXPECT_LT(ks_statistic(draws, [](double x) { return x; }), ks_critical(kAlpha));
  EXPECT_NEAR(mean_of(draws), 0.5, kSds * standard_error(1.0 / 12.0));
  EXPECT_NEAR(mean_square_of(draws, 0.5), 1.0 / 12.0, kSds * standard_error(1.0 / 180.0));
}

// draw_uniform is an affine function of the top 52 bits: these are the values at both ends.
TEST(DrawUniform, IsNeverZeroNorOne) {
  const auto from_bits = [](std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52; };
  Stream a = stream_of(2), b = stream_of(2);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(draw_uniform(a), from_bits(b.bits()));
  EXPECT_GT(from_bits(0), 0.0);
  EXPECT_LT(from_bits(~std::uint64_t{0}), 1.0);
  EXPECT_EQ(1.0 - from_bits(~std::uint64_t{0}), from_bits(0));  // the ends are symmetric
}

TEST(DrawIndex, HitsEveryIndexEquallyOften) {
  constexpr Index kCount = 7;
  Stream stream = stream_of(3);
  std::vector<double> hits(kCount, 0.0);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const Index index = draw_index(stream, kCount);
    ASSERT_GE(index, 0);
    ASSERT_LT(index, kCount);
    hits[static_cast<std::size_t>(index)] += 1.0;
  }
  constexpr double kShare = 1.0 / kCount;
  for (const double h : hits) EXPECT_NEAR(h / kDraws, kShare, kSds * standard_error(kShare * (1.0 - kShare)));
}

TEST(DrawIndex, OfOneIsZero) {
  Stream stream = stream_of(4);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(draw_index(stream, 1), 0);
}

TEST(DrawNormal, IsStandardNormal) {
  const auto draws = draw_many(5, draw_normal);
  EXPECT_LT(ks_statistic(draws, normal_cdf), ks_critical(kAlpha));
  EXPECT_NEAR(mean_of(draws), 0.0, kSds * standard_error(1.0));
  EXPECT_NEAR(mean_square_of(draws, 0.0), 1.0, kSds * standard_error(2.0));
}

// Both halves of a Box-Muller pair, and every lag-one product, so that the two are independent too.
TEST(DrawNormals, AreIndependentStandardNormals) {
  Stream stream = stream_of(6);
  const Vector normals = draw_normals(stream, static_cast<Index>(kDraws) + 1);  // odd: half a pair is dropped
  const std::vector<double> draws(normals.begin(), normals.end() - 1);
  EXPECT_LT(ks_statistic(draws, normal_cdf), ks_critical(kAlpha));
  double lagged = 0.0, lagged_squares = 0.0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double a = normals[static_cast<Index>(i)], b = normals[static_cast<Index>(i) + 1];
    lagged += a * b;
    lagged_squares += (a * a - 1.0) * (b * b - 1.0);
  }
  EXPECT_NEAR(lagged / kDraws, 0.0, kSds * standard_error(1.0));
  EXPECT_NEAR(lagged_squares / kDraws, 0.0, kSds * standard_error(4.0));
}

TEST(DrawNormals, ASingleOneIsDrawNormal) {
  Stream a = stream_of(7), b = stream_of(7);
  EXPECT_EQ(draw_normals(a, 1)[0], draw_normal(b));
}

TEST(DrawCorrelatedNormals, HaveTheCovarianceOfTheirFactor) {
  const Matrix factor{{2.0, 7.0}, {-1.0, 0.5}};  // the 7 is above the diagonal: it must not be read
  Stream stream = stream_of(8);
  Matrix sum = Matrix::Zero(2, 2);
  for (std::size_t i = 0; i < kDraws; ++i) {
    const Vector x = draw_correlated_normals(stream, factor);
    sum += x * x.transpose();
  }
  const Matrix covariance{{4.0, -2.0}, {-2.0, 1.25}};
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j) {
      // Isserlis: var(x_i x_j) = S_ii S_jj + S_ij^2.
      const double variance = covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j);
      EXPECT_NEAR(sum(i, j) / kDraws, covariance(i, j), kSds * standard_error(variance));
    }
  }
}

TEST(DrawExponential, HasMeanOne) {
  const auto draws = draw_many(9, draw_exponential);
  EXPECT_LT(ks_statistic(draws, [](double x) { return -std::expm1(-x); }), ks_critical(kAlpha));
  EXPECT_NEAR(mean_of(draws), 1.0, kSds * standard_error(1.0));
}

class DrawGamma : public testing::TestWithParam<double> {};

TEST_P(DrawGamma, FollowsItsDistribution) {
  const double shape = GetParam();
  const auto draws = draw_many(10, [&](Stream& stream) { return draw_gamma(stream, shape); });
  EXPECT_LT(ks_statistic(draws, [&](double x) { return gamma_cdf(shape, x); }), ks_critical(kAlpha));
  EXPECT_NEAR(mean_of(draws), shape, kSds * standard_error(shape));
  // Fourth central moment of Gamma(a, 1) is 3 a^2 + 6 a.
  EXPECT_NEAR(mean_square_of(draws, shape), shape, kSds * standard_error(2.0 * shape * shape + 6.0 * shape));
}

INSTANTIATE_TEST_SUITE_P(Shapes, DrawGamma, testing::Values(0.1, 0.5, 0.99, 1.0, 2.5, 40.0));

TEST(DrawCategorical, FollowsUnnormalisedWeightsAndNeverTakesAZero) {
  const std::vector<double> weights = {0.0, 3.0, 0.0, 1.0, 6.0, 0.0};
  Stream stream = stream_of(12);
  std::vector<double> hits(weights.size(), 0.0);
  for (std::size_t i = 0; i < kDraws; ++i) hits[static_cast<std::size_t>(draw_categorical(stream, weights))] += 1.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / 10.0;
    EXPECT_NEAR(hits[i] / kDraws, share, kSds * standard_error(share * (1.0 - share))) << i;
  }
}

TEST(DrawCategorical, OfOneWeightIsThatOne) {
  const std::vector<double> weights = {0.0, 0.0, 1e-300, 0.0};
  Stream stream = stream_of(13);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(draw_categorical(stream, weights), 2);
}

}  // namespace
}  // namespace ta2s2
