#include "ta2s2/smc/path_target.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite_difference.hpp"
#include "known_normal.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/rng/kolmogorov_smirnov.hpp"

namespace ta2s2 {
namespace {

constexpr double kRounding = 2.3e-16;

double phi_of(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

// Uniform, a little sloped, steep, and so steep that the upper bound is out of sight: exp(-40 * 25) is 0.
StartLaw four_laws() {
  return {Vector{{0.0, -1.0, 2.0, 0.0}}, Vector{{3.0, 4.0, 12.0, 25.0}}, Vector{{0.0, 0.3, 3.0, 40.0}}};
}

test::NormalOnBox four_dimensions() {
  return {Vector{{1.0, 0.5, 3.0, 0.1}}, test::correlated(Vector{{0.5, 1.0, 0.7, 0.2}}, 0.6), four_laws()};
}

const std::vector<bool> kAllLinear(4, true), kAllScores(4, false), kMixed = {true, false, false, true};

double law_cdf(const StartLaw& law, Index k, double x) {
  const double rate = law.rate[k], width = law.high[k] - law.low[k];
  if (rate == 0.0) return (x - law.low[k]) / width;
  return std::expm1(-rate * (x - law.low[k])) / std::expm1(-rate * width);
}

double minus_log_law(const StartLaw& law, VectorView x) {
  double sum = 0.0;
  for (Index k = 0; k < x.size(); ++k) {
    const double rate = law.rate[k], width = law.high[k] - law.low[k];
    const double mass = rate == 0.0 ? width : -std::expm1(-rate * width) / rate;
    sum += std::log(mass) + rate * (x[k] - law.low[k]);
  }
  return sum;
}

Vector everywhere(double z) {
  return Vector::Constant(4, z);
}

// Draws of the start law, each in the target's own coordinates.
Matrix start_points(const test::NormalOnBox& target, Index count) {
  const SamplingSpace scores(target, kAllScores);
  Stream stream({3, Purpose::start_point, 0, 0, 0});
  Matrix x(4, count);
  for (Index i = 0; i < count; ++i) x.col(i) = scores.to_box(scores.draw_start(stream));
  return x;
}

TEST(SamplingSpace, IsTheBoxWhereItIsLinear) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kMixed);
  const Vector z{{1.25, 0.0, 0.0, 24.0}};
  const Matrix x = space.to_box(z);
  EXPECT_EQ(x(0, 0), 1.25);
  EXPECT_EQ(x(3, 0), 24.0);
  EXPECT_EQ(space.from_box(x)(0, 0), 1.25);
  EXPECT_EQ(space.slopes(z)[3], 1.0);
  EXPECT_EQ(space.scales(), (Vector{{0.75, 1.0, 1.0, 6.25}}));
  EXPECT_EQ(space.walls().low, (Vector{{0.0, -kInfinity, -kInfinity, 0.0}}));
  EXPECT_EQ(space.walls().high, (Vector{{3.0, kInfinity, kInfinity, 25.0}}));
}

TEST(SamplingSpace, AScoreIsTheNormalQuantileOfTheLawsDistributionFunction) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kAllScores);
  for (double z = -5.0; z <= 5.0; z += 0.5) {
    const Matrix x = space.to_box(everywhere(z));
    for (Index k = 0; k < 4; ++k) {
      // Near 1 a probability is known to some roundings of 1.
      EXPECT_NEAR(law_cdf(four_laws(), k, x(k, 0)), phi_of(z), 20.0 * kRounding) << k << ' ' << z;
    }
  }
}

// A position is rounded to some parts of the largest number on the way to it; slopes say what that is in z.
TEST(SamplingSpace, FindsItsWayBackFromTheBox) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kAllScores);
  for (double z = -7.0; z <= 7.0; z += 0.25) {
    const Matrix back = space.from_box(space.to_box(everywhere(z)));
    const Vector rounded =
        (8.0 * kRounding * (four_laws().low.cwiseAbs() + four_laws().high)).cwiseQuotient(space.slopes(everywhere(z)));
    for (Index k = 0; k < 4; ++k) EXPECT_NEAR(back(k, 0), z, rounded[k] + 1e-13) << k << ' ' << z;
  }
}

// At a lower bound of zero nothing is rounded away: a score of -37 has a probability of 6e-300.
TEST(SamplingSpace, LosesNothingInTheTailsWhereNumbersCanTellThem) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kAllScores);
  for (const double z : {-37.0, -30.0, -20.0, -9.0}) {
    const Matrix x = space.to_box(everywhere(z));
    for (const Index k : {Index{0}, Index{3}}) {
      EXPECT_GT(x(k, 0), 0.0) << z;
      EXPECT_NEAR(space.from_box(x)(k, 0), z, 1e-11) << k << ' ' << z;
    }
  }
  // The upper tail of the steepest law lies far inside its box: 1 - Phi(37) is not 0 there.
  for (const double z : {9.0, 20.0, 37.0}) {
    const Matrix x = space.to_box(everywhere(z));
    EXPECT_NEAR(space.from_box(x)(3, 0), z, 1e-11) << z;
  }
}

TEST(SamplingSpace, StaysInTheBoxWhateverTheScore) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kAllScores);
  for (const double z : {-1e300, -50.0, -38.5, 38.5, 50.0, 1e300}) {
    const Matrix x = space.to_box(everywhere(z));
    for (Index k = 0; k < 4; ++k) {
      EXPECT_GE(x(k, 0), four_laws().low[k]) << z;
      EXPECT_LE(x(k, 0), four_laws().high[k]) << z;
    }
  }
  const Matrix at_bounds = space.from_box((Matrix(4, 2) << four_laws().low, four_laws().high).finished());
  EXPECT_TRUE(at_bounds.allFinite());
}

TEST(SamplingSpace, SlopesAreThoseOfTheMap) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kMixed);
  for (double z = 0.5; z <= 3.0; z += 0.5) {
    const Vector slopes = space.slopes(everywhere(z));
    for (Index k = 0; k < 4; ++k) {
      const auto x_of = [&](double at) { return space.to_box(everywhere(at))(k, 0); };
      // Rounding: 10 / h roundings of a position below 25; h^6 is nothing beside it.
      EXPECT_NEAR(slopes[k], test::derivative(x_of, z, 1e-2), 1e3 * 25.0 * kRounding) << k << ' ' << z;
    }
  }
}

// p_z(z) = p_x(x) dx/dz at every level: the Jacobian is there, and once.
TEST(SamplingSpace, ALevelHasTheSameDensityInAllCoordinates) {
  const auto target = four_dimensions();
  const Matrix points = start_points(target, 50);
  for (const auto& is_linear : {kAllLinear, kAllScores, kMixed}) {
    const SamplingSpace space(target, is_linear);
    for (Index i = 0; i < points.cols(); ++i) {
      const Vector x = points.col(i), z = space.from_box(x);
      const double law = minus_log_law(four_laws(), x), log_slopes = space.slopes(z).array().log().sum();
      const Energy energy = test::energy_of(space, z);
      ASSERT_TRUE(energy.possible());
      for (const double beta : {0.0, 0.3, 1.0}) {
        const double expected = (1.0 - beta) * law - beta * target.log_density(x);
        // A score is known to some 1e-13, and energies change by at most some hundred in a unit of it.
        EXPECT_NEAR(energy.at(beta) + log_slopes, expected, 1e-10 * (1.0 + std::abs(expected))) << beta;
      }
    }
  }
}

TEST(SamplingSpace, AnEnergyCanBeTakenBackToTheBox) {
  const auto target = four_dimensions();
  const Matrix points = start_points(target, 20);
  for (const auto& is_linear : {kAllLinear, kMixed}) {
    const SamplingSpace space(target, is_linear);
    for (Index i = 0; i < points.cols(); ++i) {
      const Vector x = points.col(i), z = space.from_box(x);
      const Energy in_box = space.in_box(test::energy_of(space, z), z);
      EXPECT_NEAR(in_box.start, minus_log_law(four_laws(), x), 1e-10);
      EXPECT_NEAR(in_box.total(), -target.log_density(x), 1e-10 * (1.0 + std::abs(in_box.total())));
    }
  }
  const SamplingSpace space(target, kMixed);
  EXPECT_EQ(space.in_box(Energy::impossible(Impossible::not_finite), everywhere(0.5)).reason, Impossible::not_finite);
}

TEST(SamplingSpace, GradientsAreThoseOfTheEnergies) {
  const auto target = four_dimensions();
  const Matrix points = start_points(target, 10).cwiseMax((four_laws().low.array() + 2e-3).matrix().replicate(1, 10));
  for (const auto& is_linear : {kAllLinear, kAllScores, kMixed}) {
    const SamplingSpace space(target, is_linear);
    const auto workspace = space.make_workspace();
    for (Index i = 0; i < points.cols(); ++i) {
      const Vector z = space.from_box(points.col(i));
      Vector found, of_start;
      const Energy energy = space.energy_and_gradient(z, *workspace, found);
      EXPECT_EQ(energy.total(), test::energy_of(space, z).total());
      EXPECT_EQ(space.start_energy(z, of_start), energy.start);
      const auto total = [&](const Vector& at) { return test::energy_of(space, at).total(); };
      const auto start = [&](const Vector& at) { return test::energy_of(space, at).start; };
      // 10 / h roundings of energies below 1e3: 2e-9 of steps of 1e-3, which stay between the walls: no point is
      // nearer to one than 2e-3.
      const double scale = 1.0 + found.cwiseAbs().maxCoeff();
      EXPECT_LT((found - test::gradient(total, z, 1e-3)).cwiseAbs().maxCoeff(), 1e-8 * scale);
      EXPECT_LT((of_start - test::gradient(start, z, 1e-3)).cwiseAbs().maxCoeff(), 1e-8 * scale);
    }
  }
}

TEST(SamplingSpace, AGradientDoesNotDependOnItsBlock) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kMixed);
  const auto workspace = space.make_workspace();
  const Matrix z = space.from_box(start_points(target, 7));
  std::vector<Energy> energies(7);
  Matrix gradients(4, 7);
  space.energies_and_gradients(z, *workspace, energies, gradients);
  for (Index i = 0; i < 7; ++i) {
    Vector alone;
    EXPECT_EQ(space.energy_and_gradient(z.col(i), *workspace, alone).total(),
              energies[static_cast<std::size_t>(i)].total());
    EXPECT_EQ(alone, gradients.col(i));
  }
}

// Kolmogorov's distance of 5000 draws at 0.1% in all; a law whose rate is a quarter higher is seen.
TEST(SamplingSpace, DrawsFollowTheStartLawInAllCoordinates) {
  const auto target = four_dimensions();
  const double critical = ks_critical(1e-3 / 8.0);
  for (const auto& is_linear : {kAllLinear, kAllScores}) {
    const SamplingSpace space(target, is_linear);
    Stream stream({5, Purpose::start_point, 0, 0, 0});
    std::vector<std::vector<double>> draws(4);
    for (int i = 0; i < 5000; ++i) {
      const Matrix x = space.to_box(space.draw_start(stream));
      for (std::size_t k = 0; k < 4; ++k) draws[k].push_back(x(static_cast<Index>(k), 0));
    }
    StartLaw wrong = four_laws();
    wrong.rate *= 1.25;
    for (Index k = 0; k < 4; ++k) {
      const auto& own = draws[static_cast<std::size_t>(k)];
      EXPECT_LT(ks_statistic(own, [&](double x) { return law_cdf(four_laws(), k, x); }), critical) << k;
      if (k < 2) continue;  // these have no rate, or one that hardly matters
      EXPECT_GT(ks_statistic(own, [&](double x) { return law_cdf(wrong, k, x); }), critical) << k;
    }
  }
}

TEST(SamplingSpace, BeyondAWallAllIsImpossible) {
  const auto target = four_dimensions();
  const SamplingSpace space(target, kMixed);
  EXPECT_TRUE(test::energy_of(space, Vector{{0.0, 9.0, -9.0, 25.0}}).possible());
  EXPECT_EQ(test::energy_of(space, Vector{{-1e-9, 0.0, 0.0, 1.0}}).reason, Impossible::outside_box);
  EXPECT_EQ(test::energy_of(space, Vector{{1.0, 0.0, 0.0, 26.0}}).reason, Impossible::outside_box);
}

TEST(SamplingSpace, AGradientThatIsNotFiniteMakesAPointImpossible) {
  const FunctionTarget::LogDensityAndGradient cusp = [](VectorView x, Vector& gradient) {
    gradient[0] = -0.5 / std::sqrt(x[0]);
    return -std::sqrt(x[0]);
  };
  const FunctionTarget target(cusp, Vector{{0.0}}, Vector{{1.0}});
  const SamplingSpace space(target, {true});
  const auto workspace = space.make_workspace();
  Vector gradient;
  EXPECT_TRUE(space.energy_and_gradient(Vector{{0.25}}, *workspace, gradient).possible());
  EXPECT_EQ(space.energy_and_gradient(Vector{{0.0}}, *workspace, gradient).reason, Impossible::not_finite);
}

TEST(SamplingSpace, HasAGradientIfTheTargetHas) {
  const FunctionTarget without([](VectorView) { return 0.0; }, Vector{{0.0}}, Vector{{1.0}});
  EXPECT_FALSE(SamplingSpace(without, {true}).has_gradient());
  EXPECT_TRUE(SamplingSpace(four_dimensions(), kMixed).has_gradient());
}

}  // namespace
}  // namespace ta2s2
