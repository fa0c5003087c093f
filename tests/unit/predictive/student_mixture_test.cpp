#include "ta2s2/predictive/student_mixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

struct Parts {
  std::vector<double> weights;
  std::vector<double> means;
  std::vector<double> scales;

  StudentMixture with(double df) const { return StudentMixture(weights, means, scales, df); }
};

const Parts& three() {
  static const Parts parts{{0.2, 0.5, 0.3}, {-1.0, 0.5, 4.0}, {0.5, 1.0, 2.0}};
  return parts;
}

const Parts& one() {
  static const Parts parts{{1.0}, {2.0}, {0.5}};
  return parts;
}

const Parts& separated() {
  static const Parts parts{{0.4, 0.6}, {-1e6, 1e6}, {1e-3, 10.0}};
  return parts;
}

const Parts& masses() {
  static const Parts parts{{0.25, 0.25, 0.5}, {1.0, 3.0, 2.0}, {0.0, 0.0, 0.0}};
  return parts;
}

const Parts& mass_and_spread() {
  static const Parts parts{{0.5, 0.5}, {1.0, 0.3}, {0.0, 1.0}};
  return parts;
}

Parts many(Index count, double log_scale_sd) {
  Stream stream({.seed = 11, .purpose = Purpose::predictive_draw});
  Parts parts;
  double total = 0.0;
  for (Index i = 0; i < count; ++i) {
    parts.weights.push_back(draw_exponential(stream));
    parts.means.push_back(0.3 * draw_normal(stream));
    parts.scales.push_back(std::exp(log_scale_sd * draw_normal(stream)));
    total += parts.weights.back();
  }
  for (double& weight : parts.weights) weight /= total;
  return parts;
}

// Closed form of the CRPS of one Student t (Jordan, Krueger and Lerch 2019), with Boost's functions only.
double student_crps(double df, double mean, double scale, double y) {
  using boost::math::beta;
  const boost::math::students_t_distribution<double> student(df);
  const double z = (y - mean) / scale;
  return scale * (z * (2.0 * cdf(student, z) - 1.0) + 2.0 * pdf(student, z) * (df + z * z) / (df - 1.0) -
                  2.0 * std::sqrt(df) / (df - 1.0) * beta(0.5, df - 0.5) / std::pow(beta(0.5, 0.5 * df), 2));
}

// ---- moments, cdf, density ----

TEST(StudentMixture, MomentsAreThoseOfTheMixture) {
  // By hand: mean 0.2 (-1) + 0.5 (0.5) + 0.3 (4) = 1.25; within 5/3 (0.2 0.25 + 0.5 + 0.3 4) = 5/3 1.75;
  // between 0.2 2.25^2 + 0.5 0.75^2 + 0.3 2.75^2 = 3.5625.
  EXPECT_NEAR(three().with(5.0).mean(), 1.25, 1e-15);
  EXPECT_NEAR(three().with(5.0).variance(), 1.75 * 5.0 / 3.0 + 3.5625, 1e-14);
  EXPECT_NEAR(three().with(kInfinity).variance(), 1.75 + 3.5625, 1e-14);
}

struct Truth {
  double df;
  std::array<double, 5> cdf;          // at kTruthPoints
  std::array<double, 5> log_density;  // at kTruthPoints
  std::array<double, 5> quantile;     // at kLevels
  std::array<double, 3> crps;         // at kTruths
};

constexpr std::array<double, 5> kTruthPoints = {-30.0, -1.0, 0.5, 3.25, 50.0};
constexpr std::array<double, 5> kLevels = {1e-6, 0.025, 0.5, 0.975, 1.0 - 1e-6};
constexpr std::array<double, 3> kTruths = {-3.0, 1.0, 9.0};

// mpmath 1.2 at 40 digits (25 for the CRPS), for the mixture `three`: F(x) = sum w betainc(df/2, 1/2, 0,
// df/(df + t^2), regularized=True)/2 reflected for t > 0; quantiles by findroot; CRPS as quad(F^2, [-inf, y])
// + quad((1 - F)^2, [y, inf]).
const std::array<Truth, 2> kTruthTable = {{
    {3.0,
     {8.6987383503809229e-5, 0.1708019633624156, 0.47099692535249698, 0.79186279262593229, 0.99996824911651388},
     {-11.756872534443161, -1.5472669625875101, -1.5776214154200707, -2.7277689904845281, -13.102447368707189},
     {-144.38799141033377, -2.6057262958395201, 0.64144309680433534, 7.7512155359513769, 151.10368712066327},
     {2.84662470813564, 0.576604397748985, 6.3445436906444}},
    {19.0,
     {8.9611239495685112e-14, 0.1407731943608275, 0.46370153853896814, 0.80358830629918138, 0.99999999999999963},
     {-30.685775286824235, -1.4906999342187817, -1.5446957457197258, -2.784438723178873, -36.44757246979953},
     {-8.291347443391262, -1.7582263660494692, 0.67094206633060534, 6.8762992634566745, 16.281756400442046},
     {2.97396118242922, 0.533672762791829, 6.47873158877541}},
}};

TEST(StudentMixture, AgreesWithMpmath) {
  for (const Truth& truth : kTruthTable) {
    const StudentMixture mixture = three().with(truth.df);
    for (std::size_t k = 0; k < kTruthPoints.size(); ++k) {
      EXPECT_NEAR(mixture.cdf(kTruthPoints[k]), truth.cdf[k], 1e-15);
      EXPECT_NEAR(mixture.log_density(kTruthPoints[k]), truth.log_density[k], 1e-13);
      // 1 - 1e-6 is known to 1.1e-16, or 1.1e-10 of the tail: a shift of 1.1e-10 x / df for a power tail.
      const double tolerance =
          kLevels[k] > 0.99 ? 6e-11 * std::abs(truth.quantile[k]) : 1e-13 * std::abs(truth.quantile[k]);
      EXPECT_NEAR(mixture.quantile(kLevels[k]), truth.quantile[k], tolerance) << kLevels[k];
    }
    // The reference has 15 digits; the quadrature is good to 1e-12 of E|X - X'|, about 3, on a mixture like
    // this.
    for (std::size_t k = 0; k < kTruths.size(); ++k) EXPECT_NEAR(mixture.crps(kTruths[k]), truth.crps[k], 1e-11);
  }
}

// A rounding for each of 500 terms, all positive, adds less than 500 * 1.1e-16 in the worst case.
TEST(StudentMixture, CdfOfManyComponentsIsTheSumOfThePlainOnes) {
  const Parts parts = many(500, 1.0);
  const boost::math::students_t_distribution<double> student(7.0);
  for (const double x : {-8.0, -0.5, 0.1, 2.0}) {
    double sum = 0.0;
    for (std::size_t i = 0; i < parts.weights.size(); ++i) {
      sum += parts.weights[i] * cdf(student, (x - parts.means[i]) / parts.scales[i]);
    }
    EXPECT_NEAR(parts.with(7.0).cdf(x), sum, 1e-13);
  }
}

TEST(StudentMixture, PointMassesStepAtTheirMeans) {
  const StudentMixture mixture = masses().with(5.0);
  EXPECT_EQ(mixture.cdf(std::nextafter(1.0, 0.0)), 0.0);
  EXPECT_EQ(mixture.cdf(1.0), 0.25);
  EXPECT_EQ(mixture.cdf(2.0), 0.75);
  EXPECT_EQ(mixture.cdf(3.0), 1.0);
  EXPECT_EQ(mixture.log_density(2.0), kInfinity);
  EXPECT_EQ(mixture.log_density(2.5), -kInfinity);
  EXPECT_NEAR(mixture.variance(), 0.5, 1e-15);
}

// ---- quantiles ----

// To 1e-13 of the smallest scale, the density being below 1/scale: 1e-13 of probability, and as much again
// for rounding.
TEST(StudentMixture, CdfUndoesQuantile) {
  const Parts mixed = many(300, 1.0);
  for (const double df : {3.0, 19.0, 1000.0, kInfinity}) {
    for (const Parts* parts : {&one(), &three(), &mixed}) {
      const StudentMixture mixture = parts->with(df);
      for (int k = 1; k < 200; ++k) {
        const double u = k / 200.0;
        ASSERT_NEAR(mixture.cdf(mixture.quantile(u)), u, 2e-13) << df << ' ' << u;
      }
    }
  }
}

// Deep in the lower tail what counts is the error relative to u.
TEST(StudentMixture, ExtremeQuantilesKeepTheirDigits) {
  const Parts mixed = many(300, 1.0);
  for (const double df : {3.0, 19.0, 1000.0}) {
    const StudentMixture mixture = mixed.with(df);
    for (const double u : {1e-12, 1e-9, 1e-6, 1e-4}) {
      ASSERT_NEAR(mixture.cdf(mixture.quantile(u)) / u, 1.0, 1e-12) << df << ' ' << u;
    }
  }
}

// A mixture that is its own mirror image has quantile(u) = -quantile(1 - u), both with all their digits: 1 -
// u is exact here.
TEST(StudentMixture, UpperTailIsAsGoodAsTheLower) {
  const Parts mirror{{0.3, 0.3, 0.4}, {-5.0, 5.0, 0.0}, {1.0, 1.0, 0.2}};
  const StudentMixture mixture = mirror.with(4.0);
  for (const double u : {0x1p-40, 0x1p-20, 0x1p-5, 0.25}) {
    const double low = mixture.quantile(u);
    EXPECT_NEAR(mixture.quantile(1.0 - u), -low, 1e-12 * std::abs(low)) << u;
  }
}

TEST(StudentMixture, QuantilesOfSeparatedComponents) {
  const StudentMixture mixture = separated().with(19.0);
  const boost::math::students_t_distribution<double> student(19.0);
  // 0.4 of the mass is near -1e6: the 0.1 quantile is the first component's quartile, to the last bits of
  // 1e6.
  EXPECT_NEAR(mixture.quantile(0.1), -1e6 + 1e-3 * quantile(student, 0.25), 1e-9);
  EXPECT_NEAR(mixture.quantile(0.7), 1e6, 1e-8);
  // Between them the cdf is flat: any point there, but one with the right probability.
  EXPECT_NEAR(mixture.cdf(mixture.quantile(0.4)), 0.4, 1e-13);
}

TEST(StudentMixture, QuantileOnAPointMassIsThatMassExactly) {
  EXPECT_EQ(masses().with(5.0).quantile(0.1), 1.0);
  EXPECT_EQ(masses().with(5.0).quantile(0.5), 2.0);
  EXPECT_EQ(masses().with(5.0).quantile(0.9), 3.0);
  EXPECT_EQ(mass_and_spread().with(5.0).quantile(0.5), 1.0);
  EXPECT_EQ(mass_and_spread().with(5.0).quantile(0.7), 1.0);
  const Parts odd{{0.2, 0.5, 0.3}, {-1.0 / 3.0, 0.7123, 3.1}, {0.0, 0.0, 1.0}};  // found by no bisection
  for (const double u : {0.3, 0.45, 0.6}) EXPECT_EQ(odd.with(5.0).quantile(u), 0.7123);
}

TEST(StudentMixture, QuantilesScaleWithTheUnits) {
  for (const double unit : {1e-12, 1e12}) {
    Parts scaled = three();
    for (double& mean : scaled.means) mean *= unit;
    for (double& scale : scaled.scales) scale *= unit;
    for (const double u : {0.01, 0.5, 0.99}) {
      EXPECT_NEAR(scaled.with(7.0).quantile(u) / unit, three().with(7.0).quantile(u), 1e-12);
    }
    EXPECT_NEAR(scaled.with(7.0).crps(2.0 * unit) / unit, three().with(7.0).crps(2.0), 1e-11);
  }
}

TEST(StudentMixture, ComponentsWithoutWeightDoNotCount) {
  const Parts ghost{{0.0, 1.0}, {1e9, 2.0}, {1.0, 0.5}};
  EXPECT_DOUBLE_EQ(ghost.with(5.0).quantile(0.9), one().with(5.0).quantile(0.9));
  EXPECT_NEAR(ghost.with(5.0).crps(2.5), one().with(5.0).crps(2.5), 1e-12);
}

// ---- CRPS ----

TEST(StudentMixture, CrpsOfOneComponentIsTheClosedForm) {
  for (const double df : {2.5, 3.0, 4.0, 19.0, 99.0, 1000.0}) {
    for (const double y : {-40.0, 1.0, 2.0, 2.3, 7.0}) {
      const double closed = student_crps(df, 2.0, 0.5, y);
      EXPECT_NEAR(one().with(df).crps(y), closed, 1e-10 * closed) << df << ' ' << y;
    }
  }
}

// Equal components are one component.
TEST(StudentMixture, CrpsDoesNotSeeHowAMixtureIsCut) {
  const Parts cut{{0.1, 0.2, 0.7}, {2.0, 2.0, 2.0}, {0.5, 0.5, 0.5}};
  EXPECT_NEAR(cut.with(3.0).crps(2.3), student_crps(3.0, 2.0, 0.5, 2.3), 1e-11);
}

// The plain definition: the integral of (F - 1{x >= y})^2 by the midpoint rule on x = y +- (e^v - 1), v up to
// 16, 40000 nodes to a side. The integrand is smooth on each side and the step, 4e-4 (1 + |x - y|), stays
// below a third of the narrowest component, so that the rule's error is h^2/24 = 7e-9 times its end slopes,
// of order one.
double crps_by_definition(const StudentMixture& mixture, double y) {
  constexpr int kNodes = 40000;
  constexpr double kStep = 16.0 / kNodes;
  double sum = 0.0;
  for (int k = 0; k < kNodes; ++k) {
    const double v = (k + 0.5) * kStep;
    const double below = mixture.cdf(y - std::expm1(v));
    const double above = 1.0 - mixture.cdf(y + std::expm1(v));
    sum += (below * below + above * above) * std::exp(v) * kStep;
  }
  return sum;
}

TEST(StudentMixture, CrpsIsTheIntegralThatDefinesIt) {
  const Parts varied = many(30, 2.0);  // scales over factors of a thousand
  const Parts modes{{0.3, 0.7}, {-50.0, 50.0}, {1.0, 1.0}};
  for (const double df : {3.0, 19.0}) {
    for (const Parts* parts : {&three(), &varied, &modes}) {
      for (const double y : {-2.0, 0.4, 6.0}) {
        const double expected = crps_by_definition(parts->with(df), y);
        EXPECT_NEAR(parts->with(df).crps(y), expected, 2e-7 * (1.0 + expected)) << df << ' ' << y;
      }
    }
  }
}

TEST(StudentMixture, CrpsOfPointMassesIsTheDoubleSum) {
  // E|X - 2.5| = 0.25 1.5 + 0.25 0.5 + 0.5 0.5 = 0.75; 1/2 E|X - X'| = 0.25 0.25 2 + 0.25 0.5 1 + 0.25 0.5 1
  // = 0.375.
  EXPECT_NEAR(masses().with(5.0).crps(2.5), 0.375, 1e-15);
}

// Zero scales are the limit of small ones; with scale s the CRPS moves by less than w s E|T| < 1e-5.
TEST(StudentMixture, CrpsWithAPointMassIsTheLimitOfANarrowComponent) {
  const Parts narrow{{0.5, 0.5}, {1.0, 0.3}, {1e-5, 1.0}};
  for (const double y : {0.0, 1.0, 3.0}) {
    EXPECT_NEAR(mass_and_spread().with(5.0).crps(y), narrow.with(5.0).crps(y), 1e-5);
  }
  const Parts vanishing{{0.5, 0.5}, {1.0, 0.3}, {1e-310, 1.0}};  // quotients by this scale overflow
  EXPECT_NEAR(mass_and_spread().with(5.0).crps(0.5), vanishing.with(5.0).crps(0.5), 1e-15);
}

// E|X - y| - 1/2 E|X - X'| from 200000 pairs of draws: the sd of a term is below 1.6 sd(X), so four standard
// errors are 4 * 1.6 sd(X) / sqrt(200000).
TEST(StudentMixture, CrpsAgreesWithMonteCarlo) {
  const Parts parts = many(50, 0.5);
  const StudentMixture mixture = parts.with(5.0);
  Stream stream({.seed = 5, .purpose = Purpose::predictive_draw});
  const auto draw = [&] {
    const auto i = static_cast<std::size_t>(draw_categorical(stream, parts.weights));
    const double chi_squared = 2.0 * draw_gamma(stream, 2.5);
    return parts.means[i] + parts.scales[i] * draw_normal(stream) * std::sqrt(5.0 / chi_squared);
  };
  constexpr int kDraws = 200000;
  double sum = 0.0;
  for (int k = 0; k < kDraws; ++k) {
    const double x = draw();
    const double other = draw();
    sum += 0.5 * (std::abs(x - 0.8) + std::abs(other - 0.8)) - 0.5 * std::abs(x - other);
  }
  EXPECT_NEAR(mixture.crps(0.8), sum / kDraws, 6.4 * std::sqrt(mixture.variance() / kDraws));
}

// ---- bad input ----

TEST(StudentMixture, RefusesWhatIsNoMixture) {
  EXPECT_THROW((Parts{{}, {}, {}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{1.0}, {0.0, 1.0}, {1.0}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{0.5, 0.4}, {0.0, 1.0}, {1.0, 1.0}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{1.5, -0.5}, {0.0, 1.0}, {1.0, 1.0}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{1.0}, {0.0}, {-1.0}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{1.0}, {std::nan("")}, {1.0}}.with(5.0)), Error);
  EXPECT_THROW((Parts{{1.0}, {0.0}, {kInfinity}}.with(5.0)), Error);
  EXPECT_THROW(one().with(2.0), Error);
  for (const double u : {0.0, 1.0, -0.1, std::nan("")}) EXPECT_THROW(one().with(5.0).quantile(u), Error);
}

}  // namespace
}  // namespace ta2s2
