#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {
namespace {

// The midpoint rule after x = tan u. A t density with nu = 6 makes the integrand smooth on the circle up to
// its sixth derivative, so the error falls at least as nodes^-5: below 1e-9 in one dimension and 1e-7 in two.
constexpr int kNodes1 = 4000, kNodes2 = 400;

double node(int i, int count) {
  return std::numbers::pi * ((i + 0.5) / count - 0.5);
}
double node_weight(int i, int count) {
  return std::numbers::pi / count / std::pow(std::cos(node(i, count)), 2);
}

double integrate_1d(const std::function<double(double)>& f) {
  double sum = 0.0;
  for (int i = 0; i < kNodes1; ++i) sum += node_weight(i, kNodes1) * f(std::tan(node(i, kNodes1)));
  return sum;
}

double integrate_2d(const std::function<double(const Vector&)>& f) {
  double sum = 0.0;
  for (int i = 0; i < kNodes2; ++i) {
    for (int j = 0; j < kNodes2; ++j) {
      const Vector x{{std::tan(node(i, kNodes2)), std::tan(node(j, kNodes2))}};
      sum += node_weight(i, kNodes2) * node_weight(j, kNodes2) * f(x);
    }
  }
  return sum;
}

ProposalMixture mixture_1d() {
  return ProposalMixture({{0.3, Vector{{-1.0}}, Matrix{{0.5}}}, {0.7, Vector{{2.0}}, Matrix{{1.5}}}});
}

ProposalMixture mixture_2d() {
  return ProposalMixture({{0.25, Vector{{-1.0, 0.5}}, Matrix{{0.8, 0.0}, {-0.6, 0.5}}},
                          {0.75, Vector{{1.0, 1.0}}, Matrix{{1.0, 0.0}, {0.4, 1.2}}}});
}

TEST(ProposalMixture, DensityIntegratesToOne) {
  const auto one = mixture_1d();
  EXPECT_NEAR(integrate_1d([&](double x) { return std::exp(one.log_density(Vector{{x}})); }), 1.0, 1e-9);
  const auto two = mixture_2d();
  EXPECT_NEAR(integrate_2d([&](const Vector& x) { return std::exp(two.log_density(x)); }), 1.0, 1e-7);
}

TEST(ProposalMixture, DensityIsThatOfStudentT) {
  // t_6 at 0 is Gamma(7/2) / (Gamma(3) sqrt(6 pi)) = 15 / (16 sqrt(6)).
  const ProposalMixture standard({{1.0, Vector{{0.0}}, Matrix{{1.0}}}});
  EXPECT_NEAR(standard.log_density(Vector{{0.0}}), std::log(15.0 / (16.0 * std::sqrt(6.0))), 1e-14);
}

// log(pi_c t_c(x)) as it is written in books.
double log_term(const TComponent& component, const Vector& x) {
  const auto d = static_cast<double>(x.size());
  const double nu = kMixtureFreedom;
  const double distance = component.factor.triangularView<Eigen::Lower>().solve(x - component.mean).squaredNorm();
  return std::log(component.weight) + std::lgamma(0.5 * (nu + d)) - std::lgamma(0.5 * nu) -
         0.5 * d * std::log(nu * std::numbers::pi) - component.factor.diagonal().array().log().sum() -
         0.5 * (nu + d) * std::log1p(distance / nu);
}

// Five and six dimensions: rows of the inverse factor come in fours, and powers of the density are whole or half.
TEST(ProposalMixture, SharesAndDensityAreThoseOfTheClosedForm) {
  Stream stream({7, Purpose::move, 0, 0, 0});
  for (const Index d : {1, 2, 5, 6, 11}) {
    std::vector<TComponent> components;
    for (const double weight : {0.2, 0.5, 0.3}) {
      Matrix factor = Matrix::Identity(d, d);
      for (Index r = 0; r < d; ++r) {
        for (Index j = 0; j < r; ++j) factor(r, j) = 0.4 * draw_normal(stream);
      }
      components.push_back({weight, draw_normals(stream, d), weight * factor});
    }
    const ProposalMixture mixture(components);
    for (const double spread : {1.0, 10.0, 1000.0}) {
      const Vector x = spread * draw_normals(stream, d);
      std::vector<double> terms;
      for (const TComponent& component : components) terms.push_back(log_term(component, x));
      const MixturePoint point = mixture.at(x);
      EXPECT_NEAR(point.log_density, log_sum_exp(terms), 1e-12 * (100.0 + std::abs(point.log_density)));
      ASSERT_EQ(point.shares().size(), terms.size());
      for (std::size_t c = 0; c < terms.size(); ++c) {
        EXPECT_NEAR(point.shares()[c], std::exp(terms[c] - log_sum_exp(terms)), 1e-11);
      }
      EXPECT_EQ(point.most_responsible(), std::max_element(terms.begin(), terms.end()) - terms.begin());
    }
  }
}

TEST(ProposalMixture, RefusesMoreComponentsThanAPointHasRoomFor) {
  const TComponent component{0.05, Vector::Zero(1), Matrix::Identity(1, 1)};
  EXPECT_NO_THROW(ProposalMixture(std::vector(kMostComponents, component)));
  EXPECT_THROW(ProposalMixture(std::vector(kMostComponents + 1, component)), Error);
}

TEST(ProposalMixture, DensityIsFiniteFarAway) {
  EXPECT_TRUE(std::isfinite(mixture_2d().log_density(Vector{{1e100, -1e100}})));
  EXPECT_TRUE(std::isfinite(mixture_2d().log_density(Vector{{1e200, -1e200}})));  // its square is not
}

TEST(ProposalMixture, DistanceIsMahalanobis) {
  const TComponent component{1.0, Vector{{1.0, 2.0}}, Matrix{{2.0, 0.0}, {1.0, 3.0}}};
  const Vector offset{{0.5, -1.0}};
  const Matrix covariance = component.factor * component.factor.transpose();
  const MixturePoint point = ProposalMixture({component}).at(component.mean + offset);
  EXPECT_NEAR(point.squared_distance_to[0], offset.dot(covariance.inverse() * offset), 1e-14);
}

// E cos(a'x) for several a pins the law down; cos is bounded, so its variance is at most 1/2 + 1/2 and five
// sds of a mean of 200000 are 5 / sqrt(200000).
TEST(ProposalMixture, DrawsFollowTheDensity) {
  const auto mixture = mixture_2d();
  constexpr int kDraws = 200000;
  const Matrix directions{{1.0, 0.0, 0.7, 2.0, -0.3}, {0.0, 1.0, -0.7, 0.5, 0.2}};
  Vector means = Vector::Zero(directions.cols());
  Stream stream({1, Purpose::move, 0, 0, 0});
  for (int i = 0; i < kDraws; ++i) {
    const Vector x = mixture.draw(stream);
    means += (directions.transpose() * x).array().cos().matrix() / kDraws;
  }
  for (Index k = 0; k < directions.cols(); ++k) {
    const double expected = integrate_2d(
        [&](const Vector& x) { return std::cos(directions.col(k).dot(x)) * std::exp(mixture.log_density(x)); });
    EXPECT_NEAR(means[k], expected, 5.0 / std::sqrt(kDraws)) << "direction " << k;
  }
}

TComponent draw_component(Stream& stream, Index dim) {
  Matrix factor = Matrix::Zero(dim, dim);
  for (Index r = 0; r < dim; ++r) {
    for (Index j = 0; j < r; ++j) factor(r, j) = 0.3 * draw_normal(stream);
    factor(r, r) = 0.5 + draw_uniform(stream);
  }
  return {1.0, draw_normals(stream, dim), factor};
}

// Neither the components nor the coordinates need to come in whole fours. Factors are well conditioned: rounding leaves
// some 1e-14 of a distance.
TEST(ComponentDistances, AreThoseOfEachComponentAlone) {
  Stream stream({1, Purpose::move, 0, 0, 0});
  for (const Index dim : {1, 3, 4, 5, 8, 11}) {
    for (const Index count : {1, 3, 4, 5, 8, 9}) {
      std::vector<TComponent> components;
      for (Index c = 0; c < count; ++c) components.push_back(draw_component(stream, dim));
      const Vector x = draw_normals(stream, dim);
      std::vector<double> squared(kMostComponents, -1.0);
      ComponentDistances(components).measure(x.data(), squared.data());
      for (std::size_t c = 0; c < components.size(); ++c) {
        const auto& [weight, mean, factor] = components[c];
        const double expected = factor.triangularView<Eigen::Lower>().solve(x - mean).squaredNorm();
        EXPECT_NEAR(squared[c], expected, 1e-12 * expected)
            << dim << " coordinates, component " << c << " of " << count;
      }
    }
  }
}

TEST(ComponentDistances, FillUpTheLastFourWithZeros) {
  Stream stream({2, Purpose::move, 0, 0, 0});
  const Vector x = draw_normals(stream, 3);
  std::vector<double> squared(5, -1.0);
  ComponentDistances({draw_component(stream, 3)}).measure(x.data(), squared.data());
  EXPECT_EQ(squared, (std::vector<double>{squared[0], 0.0, 0.0, 0.0, -1.0}));
}

}  // namespace
}  // namespace ta2s2
