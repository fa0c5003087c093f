// Predictive mixtures and their scores against mpmath with 30 digits (tools/make_golden/mixture_scores.py),
// where a CRPS is a quadrature of the cdf: none of the closed forms that the product uses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "golden/golden_model.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/predictive/scores.hpp"
#include "ta2s2/predictive/student_mixture.hpp"

namespace ta2s2 {
namespace {

using golden::Json;
using golden::kRoundingUnit;

const Json& mixture_truths() {
  static const Json json = golden::load("mixture_scores.json");
  return json;
}

struct Parts {
  explicit Parts(const Json& item)
      : weights(item.at("weights").get<std::vector<double>>()),
        means(item.at("locations").get<std::vector<double>>()),
        scales(item.at(item.contains("sds") ? "sds" : "scales").get<std::vector<double>>()),
        df(item.contains("df") ? item.at("df").get<double>() : kInfinity) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
  }

  StudentMixture mixture() const { return StudentMixture(weights, means, scales, df); }
  double smallest_scale() const { return *std::min_element(scales.begin(), scales.end()); }
  double largest_scale() const { return *std::max_element(scales.begin(), scales.end()); }
  // Of the numbers that a mean or a score adds up.
  double magnitude(double y = 0.0) const {
    double largest = std::abs(y);
    for (const double mean : means) largest = std::max(largest, std::abs(mean));
    return largest + largest_scale();
  }

  std::vector<double> weights, means, scales;
  double df;
};

std::vector<Json> all_mixtures() {
  std::vector<Json> items = mixture_truths().at("student_mixtures");
  const Json& normals = mixture_truths().at("normal_mixtures");
  items.insert(items.end(), normals.begin(), normals.end());
  return items;
}

TEST(MixtureScores, MeanAndVariance) {
  for (const Json& item : all_mixtures()) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    // A sum of up to three terms, each with three roundings.
    EXPECT_NEAR(parts.mixture().mean(), item.at("mean").get<double>(), 8.0 * kRoundingUnit * parts.magnitude());
    const double square = parts.magnitude() * parts.magnitude();
    const double variance_of_one = std::isinf(parts.df) ? 1.0 : parts.df / (parts.df - 2.0);
    EXPECT_NEAR(parts.mixture().variance(), item.at("variance").get<double>(),
                16.0 * kRoundingUnit * square * variance_of_one);
  }
}

// The table of a standard cdf promises 3e-16; the argument t = (x - mean) / scale, right to 2 u relative,
// moves it by 2 u |t| f(t) < u; and the weighted sum adds u per component.
TEST(MixtureScores, Cdf) {
  for (const Json& item : all_mixtures()) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    for (std::size_t i = 0; i < item.at("x").size(); ++i) {
      EXPECT_NEAR(parts.mixture().cdf(item.at("x").at(i)), item.at("cdf").at(i).get<double>(),
                  3e-16 + 6.0 * kRoundingUnit)
          << item.at("x").at(i);
    }
  }
}

// log f(t) moves by |t f'/f| 2 u with the rounding of t: at most (df + 1) 2 u for a t, t^2 2 u for a normal.
// Otherwise it is a sum of a few terms of its own size or that of lgamma(df / 2), which is below 150 here.
TEST(MixtureScores, LogDensity) {
  for (const Json& item : all_mixtures()) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    for (std::size_t i = 0; i < item.at("x").size(); ++i) {
      const double truth = item.at("log_density").at(i);
      const double slope = std::isinf(parts.df) ? 2.0 * std::abs(truth) : parts.df + 1.0;
      EXPECT_NEAR(parts.mixture().log_density(item.at("x").at(i)), truth,
                  kRoundingUnit * (2.0 * slope + 8.0 * std::abs(truth) + 150.0))
          << item.at("x").at(i);
    }
  }
}

// The root is promised to 1e-13 of the smallest scale or the last bits (2^-50) of x; the cdf's error moves it
// by error / density.
TEST(MixtureScores, Quantiles) {
  for (const Json& item : all_mixtures()) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    for (std::size_t i = 0; i < item.at("levels").size(); ++i) {
      const double truth = item.at("quantiles").at(i);
      const double density = std::exp(parts.mixture().log_density(truth));
      EXPECT_NEAR(parts.mixture().quantile(item.at("levels").at(i)), truth,
                  1e-13 * parts.smallest_scale() + 0x1p-49 * std::abs(truth) + 1e-15 / density)
          << item.at("levels").at(i);
    }
  }
}

// StudentMixture::crps promises 1e-12 of E|X - X'| while scales differ by factors of ten, 1e-7 of it beyond;
// E|X - X'| is at most sqrt(2) sd. E|X - y| has a closed form, right to a few last bits of its terms.
double crps_tolerance(const Parts& parts, double variance, double y) {
  const double promised = parts.largest_scale() <= 10.0 * parts.smallest_scale() * (1.0 + 1e-12) ? 1e-12 : 1e-7;
  return promised * std::sqrt(2.0 * variance) + 16.0 * kRoundingUnit * parts.magnitude(y);
}

TEST(MixtureScores, CrpsOfStudentMixtures) {
  for (const Json& item : mixture_truths().at("student_mixtures")) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    for (std::size_t i = 0; i < item.at("y").size(); ++i) {
      const double y = item.at("y").at(i), truth = item.at("crps").at(i);
      EXPECT_NEAR(parts.mixture().crps(y), truth, crps_tolerance(parts, item.at("variance"), y)) << y;
    }
  }
}

// (5.2)-(5.4). The double sum is a closed form: 2 (N + 1) terms below the magnitude, a few last bits each.
TEST(MixtureScores, CrpsOfNormalMixtures) {
  for (const Json& item : mixture_truths().at("normal_mixtures")) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    for (std::size_t i = 0; i < item.at("y").size(); ++i) {
      const double y = item.at("y").at(i), truth = item.at("crps").at(i);
      const double closed_form = 32.0 * kRoundingUnit * parts.magnitude(y);
      EXPECT_NEAR(normal_mixture_crps_by_pairs(parts.weights, parts.means, parts.scales, y), truth, closed_form) << y;
      EXPECT_NEAR(normal_mixture_crps(parts.weights, parts.means, parts.scales, y), truth, closed_form) << y;
      EXPECT_NEAR(normal_mixture_crps_by_quadrature(parts.weights, parts.means, parts.scales, y), truth,
                  crps_tolerance(parts, item.at("variance"), y))
          << y;
    }
  }
}

// The mutants: the scale taken for the sd, components taken for points, and a normal in place of the t.
TEST(MixtureScores, ComparisonCanFail) {
  for (const Json& item : mixture_truths().at("student_mixtures")) {
    SCOPED_TRACE(item.at("name").get<std::string>());
    const Parts parts(item);
    const double variance = item.at("variance");
    const double variance_of_one = parts.df / (parts.df - 2.0);
    EXPECT_GT(std::abs(parts.mixture().variance() / variance_of_one - variance), 1e-3 * variance);
    for (std::size_t i = 0; i < item.at("y").size(); ++i) {
      const double y = item.at("y").at(i), truth = item.at("crps").at(i);
      const double tolerance = crps_tolerance(parts, variance, y);
      double of_points = 0.0;
      for (std::size_t c = 0; c < parts.means.size(); ++c) of_points += parts.weights[c] * std::abs(y - parts.means[c]);
      EXPECT_GT(std::abs(of_points - truth), tolerance) << y;
      EXPECT_GT(std::abs(normal_mixture_crps_by_pairs(parts.weights, parts.means, parts.scales, y) - truth), tolerance)
          << y;
    }
  }
}

}  // namespace
}  // namespace ta2s2
