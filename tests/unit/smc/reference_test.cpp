#include "ta2s2/smc/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite_difference.hpp"
#include "known_normal.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/rng/kolmogorov_smirnov.hpp"

namespace ta2s2 {
namespace {

constexpr double kShare = 0.2;  // of the start density: enough for its lack to be seen
constexpr int kFreedomOfReference = 3;

TComponent component(double weight, const Vector& mean, const Matrix& covariance) {
  return {weight, mean, covariance.llt().matrixL()};
}

ProposalMixture in_one_dimension() {
  return ProposalMixture({component(0.3, Vector{{-1.0}}, Matrix{{0.25}}), component(0.7, Vector{{2.0}}, Matrix{{1.0}})},
                         kFreedomOfReference);
}

ProposalMixture in_two_dimensions() {
  return ProposalMixture({component(0.4, Vector{{-1.0, 0.5}}, test::correlated(Vector{{0.5, 1.0}}, 0.7)),
                          component(0.6, Vector{{1.5, 0.0}}, test::correlated(Vector{{1.0, 0.3}}, -0.4))},
                         kFreedomOfReference);
}

test::NormalOnBox standard_normal(Index dim) {
  return {Vector::Zero(dim), Matrix::Identity(dim, dim), test::uniform_law(dim, -3.0, 4.0)};
}

// Midpoint rule with panels of equal width in t, where x = centre + t / (1 - t^2) goes over all numbers.
struct WholeLine {
  std::vector<double> x, width;
  WholeLine(double centre, int count) {
    for (int i = 0; i < count; ++i) {
      const double t = -1.0 + (2.0 * i + 1.0) / count, rest = 1.0 - t * t;
      x.push_back(centre + t / rest);
      width.push_back(2.0 / count * (1.0 + t * t) / (rest * rest));
    }
  }
};

// Student's t with three degrees of freedom.
double t3_cdf(double t) {
  const double s = t / std::sqrt(3.0);
  return 0.5 + (s / (1.0 + s * s) + std::atan(s)) / std::numbers::pi;
}

// The uniform part jumps at the walls by 0.03, in panels that are there 1e-4 wide.
TEST(Reference, IsNormalisedBetweenWallsAndBeyondThem) {
  const auto target = standard_normal(1);
  const SamplingSpace space(target, {true});
  const Reference reference(in_one_dimension(), kShare, space);
  const WholeLine line(0.0, 400'000);
  double sum = 0.0, beyond = 0.0;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const double mass = line.width[i] * std::exp(-reference.energy(Vector{{line.x[i]}}));
    sum += mass;
    beyond += line.x[i] < -3.0 || line.x[i] > 4.0 ? mass : 0.0;
  }
  EXPECT_NEAR(sum, 1.0, 1e-5);
  const double inside = 0.3 * (t3_cdf(5.0 / 0.5) - t3_cdf(-2.0 / 0.5)) + 0.7 * (t3_cdf(2.0) - t3_cdf(-5.0));
  EXPECT_NEAR(beyond, (1.0 - kShare) * (1.0 - inside), 1e-5);
}

// All smooth; the tails at the ends of t, where the integrand falls as (1 - t^2), leave an error of some
// 1 / count^2.
TEST(Reference, IsNormalisedInTwoDimensionsOfScores) {
  const auto target = standard_normal(2);
  const SamplingSpace space(target, {false, false});
  const Reference reference(in_two_dimensions(), kShare, space);
  const WholeLine line(0.0, 600);
  double sum = 0.0;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    for (std::size_t j = 0; j < line.x.size(); ++j) {
      sum += line.width[i] * line.width[j] * std::exp(-reference.energy(Vector{{line.x[i], line.x[j]}}));
    }
  }
  EXPECT_NEAR(sum, 1.0, 1e-3);
}

TEST(Reference, GradientsAreThoseOfTheEnergy) {
  const auto target = standard_normal(2);
  for (const bool is_linear : {true, false}) {
    const SamplingSpace space(target, {is_linear, false});
    const Reference reference(in_two_dimensions(), kShare, space);
    for (const double x : {-30.0, -3.5, -1.0, 0.4, 3.9, 8.0}) {  // between the walls, beyond and far away
      for (const double y : {-4.0, 0.1, 2.5}) {
        const Vector z{{x, y}};
        Vector found;
        EXPECT_NEAR(reference.energy(z, found), reference.energy(z), 1e-13 * std::abs(reference.energy(z)));
        const auto energy = [&](const Vector& at) { return reference.energy(at); };
        // 10 / h roundings of energies below 30.
        EXPECT_LT((found - test::gradient(energy, z, 1e-2)).cwiseAbs().maxCoeff(), 1e-9) << x << ' ' << y;
      }
    }
  }
}

// The share of the start law bounds the density below between the walls, and beyond them there is none of it.
TEST(Reference, TheDefensiveShareIsBetweenTheWallsAlone) {
  const auto target = standard_normal(1);
  const SamplingSpace space(target, {true});
  const ProposalMixture narrow({component(1.0, Vector{{0.0}}, Matrix{{1e-12}})}, 8);
  const Reference reference(narrow, kShare, space);
  EXPECT_NEAR(reference.energy(Vector{{3.9}}), -std::log(kShare / 7.0), 1e-12);
  const double log_mixture = std::log1p(-kShare) + narrow.log_density(Vector{{4.1}});
  EXPECT_NEAR(reference.energy(Vector{{4.1}}), -log_mixture, 1e-12 * std::abs(log_mixture));
}

// Kolmogorov's distance of 20000 draws at 0.1%; that of a law without its defensive share is caught.
TEST(Reference, DrawsFollowIt) {
  const auto target = standard_normal(1);
  const SamplingSpace space(target, {true});
  const Reference reference(in_one_dimension(), kShare, space);
  Stream stream({9, Purpose::start_point, 0, 0, 0});
  std::vector<double> draws;
  for (int i = 0; i < 20'000; ++i) draws.push_back(reference.draw(stream)[0]);
  const auto cdf = [](double x, double share) {
    const double uniform = std::clamp((x + 3.0) / 7.0, 0.0, 1.0);
    return share * uniform + (1.0 - share) * (0.3 * t3_cdf((x + 1.0) / 0.5) + 0.7 * t3_cdf(x - 2.0));
  };
  EXPECT_LT(ks_statistic(draws, [&](double x) { return cdf(x, kShare); }), ks_critical(1e-3));
  EXPECT_GT(ks_statistic(draws, [&](double x) { return cdf(x, 0.0); }), ks_critical(1e-3));
}

// Draws z of q have E[p(z) / q(z)] = 1 for any density p within its reach: energy and draws fit each other.
TEST(Reference, WeightsOfItsDrawsHaveMeanOne) {
  const auto target = standard_normal(2);
  const SamplingSpace space(target, {true, false});
  const Reference reference(in_two_dimensions(), kShare, space);
  const ProposalMixture within({component(1.0, Vector{{1.5, 0.0}}, 0.25 * Matrix::Identity(2, 2))}, 8);
  Stream stream({10, Purpose::start_point, 0, 0, 0});
  constexpr int kDraws = 20'000;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const Vector z = reference.draw(stream);
    const double weight = std::exp(within.log_density(z) + reference.energy(z));
    sum += weight;
    squares += weight * weight;
  }
  const double mean = sum / kDraws, error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
  EXPECT_LT(error, 0.03);
  EXPECT_LT(std::abs(mean - 1.0), 4.0 * error);                   // 6e-5 by chance
  EXPECT_GT(std::abs(mean / (1.0 - kShare) - 1.0), 4.0 * error);  // the mutant: a share that energies forget
}

TEST(Reference, TellsItsMixturesMeanAndCovarianceWithinComponents) {
  const auto target = standard_normal(2);
  const SamplingSpace space(target, {true, true});
  const Reference reference(in_two_dimensions(), kShare, space);
  EXPECT_LT((reference.mean() - Vector{{0.5, 0.2}}).norm(), 1e-14);
  const Matrix expected =
      0.4 * test::correlated(Vector{{0.5, 1.0}}, 0.7) + 0.6 * test::correlated(Vector{{1.0, 0.3}}, -0.4);
  EXPECT_LT((reference.within_covariance() - expected).norm(), 1e-14);
}

TEST(ReferencePath, SplitsTheEnergyOfTheSpaceAtTheReference) {
  const auto target = standard_normal(2);
  const SamplingSpace space(target, {true, false});
  const Reference reference(in_two_dimensions(), kShare, space);
  const ReferencePath path(reference);
  const auto workspace = path.make_workspace();
  Stream stream({11, Purpose::start_point, 0, 0, 0});
  Index num_impossible = 0;
  for (int i = 0; i < 200; ++i) {
    const Vector z = path.draw_start(stream);
    const Energy of_space = test::energy_of(space, z), energy = test::energy_of(path, z);
    ASSERT_EQ(energy.reason, of_space.reason);
    num_impossible += energy.possible() ? 0 : 1;
    if (!energy.possible()) continue;
    EXPECT_EQ(energy.start, reference.energy(z));
    EXPECT_NEAR(energy.total(), of_space.total(), 1e-13 * (1.0 + std::abs(energy.start) + std::abs(energy.total())));
    Vector gradient, of_space_gradient, of_start, of_reference;
    EXPECT_EQ(path.energy_and_gradient(z, *workspace, gradient).total(), energy.total());
    space.energy_and_gradient(z, *workspace, of_space_gradient);
    EXPECT_EQ(gradient, of_space_gradient);  // of H
    path.start_energy(z, of_start);
    reference.energy(z, of_reference);
    EXPECT_EQ(of_start, of_reference);
    // A block is what its points are.
    Energy in_block;
    Matrix gradients(2, 1);
    path.energies_and_gradients(z, *workspace, {&in_block, 1}, gradients);
    EXPECT_EQ(in_block.start, energy.start);
    EXPECT_EQ(gradients.col(0), gradient);
  }
  EXPECT_GT(num_impossible, 0);  // the reference is not cut off at the walls
  EXPECT_LT(num_impossible, 50);
}

}  // namespace
}  // namespace ta2s2
