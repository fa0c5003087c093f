// The exact targets themselves: draws against the truth, draws against the energies at every temperature, the truth
// against closed forms and independent quadrature.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "golden/golden_file.hpp"
#include "ta2s2/rng/draws.hpp"
#include "targets/banana_target.hpp"
#include "targets/border_target.hpp"
#include "targets/franke_posterior.hpp"
#include "targets/marginal_truth.hpp"
#include "targets/skewed_target.hpp"
#include "targets/target_catalogue.hpp"

namespace ta2s2 {
namespace {

constexpr std::array<double, 3> kTaus = {1.0, 5.0, 50.0};
// All tests of this file together may fail with probability 0.1% if all is right: fewer than 3000 comparisons.
constexpr double kAlpha = 1e-3 / 3000.0;

Matrix draw_many(const ExactTarget& target, double beta, Index count, std::uint64_t seed) {
  Matrix draws(target.dim(), count);
  for (Index i = 0; i < count; ++i) {
    Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    draws.col(i) = target.draw_exact(beta, stream);
  }
  return draws;
}

double two_sided_p(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

// P-value of a mean of independent values against what it should be.
double mean_p(const Eigen::ArrayXd& values, double expected) {
  const auto n = static_cast<double>(values.size());
  const double sd = std::sqrt((values - values.mean()).square().sum() / (n - 1.0));
  return two_sided_p((values.mean() - expected) / (sd / std::sqrt(n)));
}

double share_p(double share, double expected, Index n) {
  return two_sided_p((share - expected) / std::sqrt(expected * (1.0 - expected) / static_cast<double>(n)));
}

struct Comparison {
  std::string name;
  double p;
};

// Everything in a truth that draws can be held against.
std::vector<Comparison> compare(const ExactTarget& target, const Matrix& draws, const Truth& truth) {
  const Index n = draws.cols();
  std::vector<Comparison> all;
  for (Index d = 0; d < target.dim(); ++d) {
    const Eigen::ArrayXd x = draws.row(d).transpose().array();
    const std::string name = target.names()[static_cast<std::size_t>(d)];
    all.push_back({"mean of " + name, mean_p(x, truth.mean[d])});
    all.push_back({"spread of " + name, mean_p((x - truth.mean[d]).square(), truth.sd[d] * truth.sd[d])});
    for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
      const double share = (x < truth.quantiles(d, static_cast<Index>(q))).cast<double>().mean();
      all.push_back({"quantile of " + name, share_p(share, kTruthLevels[q], n)});
    }
  }
  Vector shares = Vector::Zero(target.num_modes());
  for (Index i = 0; i < n; ++i) shares[target.mode_of(draws.col(i))] += 1.0 / static_cast<double>(n);
  for (Index mode = 1; mode < target.num_modes(); ++mode) {
    all.push_back({"weight of a mode", share_p(shares[mode], truth.mode_weights[mode], n)});
  }
  return all;
}

double smallest_p(const std::vector<Comparison>& comparisons) {
  double least = 1.0;
  for (const Comparison& comparison : comparisons) least = std::min(least, comparison.p);
  return least;
}

std::string name_of(const testing::TestParamInfo<NamedTarget>& instance) {
  return instance.param.name;
}

class EveryTarget : public testing::TestWithParam<NamedTarget> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryTarget, testing::ValuesIn(target_catalogue()), name_of);

constexpr Index kDraws = 20000;

// The mean of 20000 squares is normal far enough out only if the tails are light: under heavy tails its skewness is
// 0.3, on the banana's curve 0.07, at which p-values of five standard errors are too small by far. There the sds rest
// on the quadrature and the closed forms below.
bool has_light_tails(const std::string& name) {
  return !name.starts_with("HeavyTails") && !name.starts_with("Banana");
}

TEST_P(EveryTarget, IsDrawnAsItsTruthSays) {
  const auto target = GetParam().make();
  const Truth truth = target->truth();
  ASSERT_EQ(truth.mode_weights.size(), target->num_modes());
  EXPECT_NEAR(truth.mode_weights.sum(), 1.0, 1e-12);
  for (const Comparison& comparison : compare(*target, draw_many(*target, 1.0, kDraws, 1), truth)) {
    if (comparison.name.starts_with("spread") && !has_light_tails(GetParam().name)) continue;
    EXPECT_GT(comparison.p, kAlpha) << comparison.name;
  }
}

TEST_P(EveryTarget, DrawnAtAnotherTemperatureIsNoticed) {  // the mutant of the test above
  const auto target = GetParam().make();
  EXPECT_LT(smallest_p(compare(*target, draw_many(*target, 0.8, kDraws, 1), target->truth())), kAlpha);
}

TEST_P(EveryTarget, HasADensityWhereverItIsDrawn) {
  const auto target = GetParam().make();
  for (const double tau : kTaus) {
    const Matrix draws = draw_many(*target, 1.0 / tau, 1000, 2);
    std::vector<Energy> energies(1000);
    target->energies(draws, *target->make_workspace(), energies);
    for (const Energy& energy : energies) ASSERT_TRUE(energy.possible());
  }
}

// --- Draws and evidence against the energies alone, on a grid: in one and two dimensions. ---

struct GridCase {
  std::string name;
  Grid grid;
};

std::ostream& operator<<(std::ostream& out, const GridCase& grid) {
  return out << grid.name;
}

GridCase grid_1d(const std::string& name, double low, double high, Index cells) {
  return {name, {Vector{{low}}, Vector{{high}}, {cells}}};
}

GridCase grid_2d(const std::string& name, Vector low, Vector high, Index cells1, Index cells2) {
  return {name, {std::move(low), std::move(high), {cells1, cells2}}};
}

// Steps of at most a third of the narrowest scale at tau = 1. PriorPath has no box: its grid reaches 8 sds of the
// prior.
std::vector<GridCase> grid_cases() {
  return {grid_1d("Skewed_d1", -40.0, 10.0, 1000),
          grid_1d("TwoModes_d1", -25.0, 25.0, 500),
          grid_1d("ThreeModes_d1", -25.0, 25.0, 500),
          grid_1d("HeavyTails_d1", -30.0, 30.0, 600),
          grid_1d("Border_d1", 0.0, 10.0, 2000),
          grid_1d("PriorPath_d1", -24.0, 24.0, 1000),
          grid_2d("Skewed_d2", Vector{{-40.0, -40.0}}, Vector{{10.0, 10.0}}, 700, 700),
          grid_2d("Banana_d2", Vector{{-20.0, -30.0}}, Vector{{20.0, 100.0}}, 500, 800),
          grid_2d("TwoModes_d2", Vector{{-25.0, -25.0}}, Vector{{25.0, 25.0}}, 400, 400),
          grid_2d("ThreeModes_d2", Vector{{-25.0, -25.0}}, Vector{{25.0, 25.0}}, 400, 400),
          grid_2d("HeavyTails_d2", Vector{{-30.0, -30.0}}, Vector{{30.0, 30.0}}, 500, 500),
          grid_2d("Border_d2", Vector{{0.0, 0.0}}, Vector{{10.0, 10.0}}, 1000, 1000),
          grid_2d("PriorPath_d2", Vector{{-24.0, -24.0}}, Vector{{24.0, 24.0}}, 400, 400)};
}

class OnAGrid : public testing::TestWithParam<GridCase> {
 protected:
  std::shared_ptr<const ExactTarget> target_ = make_named_target(GetParam().name);
  QuadratureTarget grid_{target_, GetParam().grid};
};
INSTANTIATE_TEST_SUITE_P(Targets, OnAGrid, testing::ValuesIn(grid_cases()),
                         [](const auto& instance) { return instance.param.name; });

// The trapezoidal rule is exact to rounding where the density vanishes at the border; against the border of Border its
// error is h^2/12 times the slope there, 2e-5 at most.
TEST_P(OnAGrid, TruthAgreesWithTheEnergies) {
  const Truth truth = target_->truth(), found = grid_.truth();
  const double tolerance = GetParam().name.starts_with("Border") ? 1e-4 : 1e-5;
  EXPECT_NEAR(found.log_evidence, truth.log_evidence, tolerance);
  for (Index d = 0; d < target_->dim(); ++d) {
    EXPECT_NEAR(found.mean[d], truth.mean[d], tolerance * truth.sd[d]);
    EXPECT_NEAR(found.sd[d], truth.sd[d], tolerance * truth.sd[d]);
    for (Index q = 0; q < truth.quantiles.cols(); ++q) {
      EXPECT_NEAR(found.quantiles(d, q), truth.quantiles(d, q), 1e-3 * truth.sd[d]) << "quantile " << q;
    }
  }
}

// P(sqrt(n/2) D > x) <= 2 exp(-2 x^2) for two samples of n >= 458 each (Wei and Dudley 2012).
double kolmogorov_p(Vector a, Vector b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0.0;
  for (Index i = 0, j = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j] <= a[i]) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i + 1 - j)) / static_cast<double>(a.size()));
  }
  const double x = std::sqrt(0.5 * static_cast<double>(a.size())) * largest;
  return std::min(1.0, 2.0 * std::exp(-2.0 * x * x));
}

Vector energies_of(const ExactTarget& target, const Matrix& draws) {
  std::vector<Energy> energies(static_cast<std::size_t>(draws.cols()));
  target.energies(draws, *target.make_workspace(), energies);
  Vector totals(draws.cols());
  for (Index i = 0; i < draws.cols(); ++i) totals[i] = energies[static_cast<std::size_t>(i)].total();
  return totals;
}

// The target's own draws at `beta` against draws from a grid of its energies.
double smallest_distance_p(const ExactTarget& target, const ExactTarget& grid, double beta, double grid_beta) {
  const Matrix own = draw_many(target, beta, kDraws, 3), other = draw_many(grid, grid_beta, kDraws, 4);
  double least = kolmogorov_p(energies_of(target, own), energies_of(target, other));
  for (Index d = 0; d < target.dim(); ++d) least = std::min(least, kolmogorov_p(own.row(d), other.row(d)));
  return least;
}

TEST_P(OnAGrid, DrawsFollowTheEnergiesAtEveryTemperature) {
  for (const double tau : kTaus) EXPECT_GT(smallest_distance_p(*target_, grid_, 1.0 / tau, 1.0 / tau), kAlpha) << tau;
}

TEST_P(OnAGrid, DrawsAtAnotherTemperatureDoNot) {
  EXPECT_LT(smallest_distance_p(*target_, grid_, 0.2, 0.3), kAlpha);
}

TEST(QuadratureTarget, RefusesAGridThatIsTooCoarse) {
  const QuadratureTarget coarse(make_named_target("TwoModes_d1"), {Vector{{-25.0}}, Vector{{25.0}}, {12}});
  EXPECT_THROW(draw_many(coarse, 1.0, 1000, 1), std::logic_error);
}

// --- Closed forms. ---

TEST(SkewedTarget, HasTheMomentsOfLogGammaVariables) {
  const SkewedTarget target(6);
  const Truth truth = target.truth();
  double log_evidence = 0.0;
  for (Index d = 0; d < 6; ++d) {
    const double a = target.shapes()[d];
    log_evidence += std::lgamma(a);
    EXPECT_NEAR(truth.mean[d], boost::math::digamma(a), 1e-12);
    EXPECT_NEAR(truth.sd[d], std::sqrt(boost::math::trigamma(a)), 1e-10);  // a difference of squares: 10 / 0.2
  }
  EXPECT_NEAR(truth.log_evidence, log_evidence, 1e-10);
}

TEST(BananaTarget, HasTheMomentsOfItsCurve) {  // var(x2) = s^2 + c^2 var(x1^2) = 0.25 + 0.25 * 2
  const Truth truth = BananaTarget(3).truth();
  EXPECT_NEAR(truth.mean[1], 0.0, 1e-12);
  EXPECT_NEAR(truth.sd[1], std::sqrt(0.75), 1e-12);
  EXPECT_NEAR(truth.sd[2], 1.5, 1e-12);
}

TEST(BorderTarget, HasTheMassOfAQuadrant) {  // P(both > 0) = 1/4 + asin(rho) / 2 pi
  const double rho = 0.6;
  const double mass = 0.25 + std::asin(rho) / (2.0 * std::numbers::pi);
  const double constant = 2.0 * std::numbers::pi * 1.0 * 0.6 * std::sqrt(1.0 - rho * rho);
  EXPECT_NEAR(BorderTarget(2).truth().log_evidence, std::log(mass * constant), 1e-12);
}

TEST(IntegrateNodes, HasFourthOrderQuantiles) {
  const auto quantile_error = [](std::size_t cells) {
    std::vector<double> values(cells + 1);
    for (std::size_t i = 0; i <= cells; ++i) {
      values[i] = std::exp(-0.5 * std::pow(-8.0 + 16.0 * static_cast<double>(i) / static_cast<double>(cells), 2));
    }
    return std::abs(integrate_nodes(values, -8.0, 8.0).quantiles[4] - 1.6448536269514722);
  };
  EXPECT_LT(quantile_error(64), 1e-4);   // h = sd / 4
  EXPECT_LT(quantile_error(256), 4e-7);  // 4^4 times smaller
}

// --- Franke's posterior. ---

// An independent truth, by dense quadrature in another language (tools/make_golden/franke_posterior.py).
TEST(FrankePosterior2d, AgreesWithTheGoldenPosterior) {
  const golden::Json document = golden::load("franke_posterior.json");
  for (int design = 1; design <= 3; ++design) {
    const auto& golden_truth =
        document.at("designs").at(static_cast<std::size_t>(design - 1)).at("posteriors").at("model");
    const Truth truth = franke_posterior_2d(design)->truth();
    EXPECT_NEAR(truth.log_evidence, golden_truth.at("log_evidence_standardised").get<double>(), 1e-6);
    const Matrix quantiles = golden::to_matrix(golden_truth.at("quantiles"));  // 2.5, 5, 25, 50, 75, 95, 97.5%
    for (Index d = 0; d < 2; ++d) {
      const double sd = golden_truth.at("sd").at(static_cast<std::size_t>(d));
      EXPECT_NEAR(truth.mean[d], golden_truth.at("mean").at(static_cast<std::size_t>(d)).get<double>(), 1e-4 * sd);
      EXPECT_NEAR(truth.sd[d], sd, 1e-4 * sd);
      for (Index q = 0; q < 5; ++q) EXPECT_NEAR(truth.quantiles(d, q), quantiles(d, q + 1), 1e-3 * sd);
    }
  }
}

// A grid twice as fine along any one coordinate gives the same truth, to 1e-4 of an sd.
void expect_same(const Truth& fine, const Truth& truth) {
  EXPECT_NEAR(fine.log_evidence, truth.log_evidence, 1e-4);
  for (Index d = 0; d < truth.mean.size(); ++d) {
    const double tolerance = 1e-4 * truth.sd[d];
    EXPECT_NEAR(fine.mean[d], truth.mean[d], tolerance) << "coordinate " << d + 1;
    EXPECT_NEAR(fine.sd[d], truth.sd[d], tolerance) << "coordinate " << d + 1;
    for (Index q = 0; q < truth.quantiles.cols(); ++q) {
      EXPECT_NEAR(fine.quantiles(d, q), truth.quantiles(d, q), tolerance)
          << "coordinate " << d + 1 << ", quantile " << q;
    }
  }
}

TEST(FrankePosterior2d, HasAGridThatIsFineEnough) {
  const Truth truth = franke_posterior_2d(1)->truth();
  for (Index d = 0; d < 2; ++d) expect_same(franke_posterior_2d(1, d)->truth(), truth);
}

TEST(FrankePosterior3d, HasAGridThatIsFineEnough) {
  const Truth truth = franke_posterior_3d(1)->truth();
  for (Index d = 0; d < 3; ++d) expect_same(franke_posterior_3d(1, d)->truth(), truth);
}

}  // namespace
}  // namespace ta2s2
