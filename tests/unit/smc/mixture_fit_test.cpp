#include "ta2s2/smc/mixture_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

struct Cluster {
  Vector centre;
  Matrix factor;
  Index count;
};

Matrix draw_clusters(const std::vector<Cluster>& clusters) {
  Index total = 0;
  for (const Cluster& cluster : clusters) total += cluster.count;
  Matrix points(clusters[0].centre.size(), total);
  Stream stream({2, Purpose::move, 0, 0, 0});
  Index i = 0;
  for (const Cluster& cluster : clusters) {
    for (Index k = 0; k < cluster.count; ++k) {
      points.col(i++) = cluster.centre + draw_correlated_normals(stream, cluster.factor);
    }
  }
  return points;
}

Vector equal_weights(Index count) {
  return Vector::Constant(count, 1.0 / static_cast<double>(count));
}

ProposalMixture fit(const Matrix& points, const Vector& weights) {
  Stream stream({3, Purpose::mixture_fit, 1, 0, 0});
  return fit_proposal_mixture(points, weights, {}, stream);
}

// The scale of a t fitted to a normal cloud is a little below the cloud's covariance (about 0.8 of it for nu
// = 6 and d = 2). Wide bounds are enough: a component that mixed the clusters up would be an order of
// magnitude too wide.
void expect_component(const TComponent& component, const Cluster& cluster, double weight) {
  const double standard_error = 1.0 / std::sqrt(static_cast<double>(cluster.count));
  EXPECT_NEAR(component.weight, weight,
              0.01);  // clusters do not overlap: shares are known to the points they trade
  const Vector miss = cluster.factor.triangularView<Eigen::Lower>().solve(component.mean - cluster.centre);
  EXPECT_LT(miss.cwiseAbs().maxCoeff(), 5.0 * standard_error);
  const Matrix ratio = cluster.factor.triangularView<Eigen::Lower>().solve(component.factor);
  const Matrix scale = ratio * ratio.transpose();
  EXPECT_TRUE(scale.isApprox(scale.trace() / 2.0 * Matrix::Identity(2, 2), 0.2));
  EXPECT_GT(scale.trace() / 2.0, 0.6);
  EXPECT_LT(scale.trace() / 2.0, 1.1);
}

TEST(FitProposalMixture, FindsTwoClearClusters) {
  const Cluster left{Vector{{-5.0, 0.0}}, Matrix{{0.5, 0.0}, {0.3, 0.4}}, 600};
  const Cluster right{Vector{{5.0, 3.0}}, Matrix{{1.0, 0.0}, {-0.5, 0.7}}, 1400};
  const auto mixture = fit(draw_clusters({left, right}), equal_weights(2000));
  ASSERT_EQ(mixture.components().size(), 2u);
  const bool left_first = mixture.components()[0].mean[0] < 0.0;
  expect_component(mixture.components()[left_first ? 0 : 1], left, 0.3);
  expect_component(mixture.components()[left_first ? 1 : 0], right, 0.7);
}

// The cluster is a t with the components' own tails: of a normal one a second t may well be worth its
// parameters.
TEST(FitProposalMixture, OneClusterGivesOneComponent) {
  const TComponent truth{1.0, Vector{{2.0, -1.0}}, Matrix{{1.0, 0.0}, {0.8, 0.3}}};
  const ProposalMixture source({truth});
  Stream stream({5, Purpose::move, 0, 0, 0});
  Matrix points(2, 2000);
  for (Index i = 0; i < points.cols(); ++i) points.col(i) = source.draw(stream);
  const auto mixture = fit(points, equal_weights(points.cols()));
  ASSERT_EQ(mixture.components().size(), 1u);
  const TComponent& found = mixture.components()[0];
  // A mean over 2000 points of variance nu / (nu - 2) = 1.5 in units of the factor, at five sds; entries of
  // the scale are known to about sqrt(2 * 2 / 2000) of themselves.
  const Vector miss = truth.factor.triangularView<Eigen::Lower>().solve(found.mean - truth.mean);
  EXPECT_LT(miss.cwiseAbs().maxCoeff(), 5.0 * std::sqrt(1.5 / 2000.0));
  const Matrix ratio = truth.factor.triangularView<Eigen::Lower>().solve(found.factor);
  EXPECT_TRUE((ratio * ratio.transpose()).isApprox(Matrix::Identity(2, 2), 5.0 * std::sqrt(4.0 / 2000.0)));
}

// A level's fit begins with the components of the level before, which lie elsewhere and are too wide by now.
TEST(FitProposalMixture, GoesOnFromWhereItIsToldToBegin) {
  const Cluster left{Vector{{-5.0, 0.0}}, Matrix{{0.5, 0.0}, {0.3, 0.4}}, 600};
  const Cluster right{Vector{{5.0, 3.0}}, Matrix{{1.0, 0.0}, {-0.5, 0.7}}, 1400};
  const Matrix points = draw_clusters({left, right});
  const Matrix wide = 3.0 * Matrix::Identity(2, 2);
  const TComponent west{0.5, Vector{{-6.0, 1.0}}, wide}, east{0.5, Vector{{4.0, 1.0}}, wide};
  const TComponent far_away{0.1, Vector{{50.0, 50.0}}, wide};
  for (const std::vector<TComponent>& start : {std::vector{west, east}, {west, east, east}, {west, far_away}}) {
    Stream stream({3, Purpose::mixture_fit, 1, 0, 0});
    const auto mixture = fit_proposal_mixture(points, equal_weights(2000), {.start = ProposalMixture(start)}, stream);
    ASSERT_EQ(mixture.components().size(), 2u);
    const bool left_first = mixture.components()[0].mean[0] < 0.0;
    expect_component(mixture.components()[left_first ? 0 : 1], left, 0.3);
    expect_component(mixture.components()[left_first ? 1 : 0], right, 0.7);
  }
}

// Forty chains of fifty states in eleven dimensions, each close to where it began, are forty points rather than two
// thousand: a mixture that took each chain for a component would have most of the density in none of them.
TEST(FitProposalMixture, DoesNotTakeChainsForComponents) {
  constexpr Index kDim = 11, kChains = 40, kLength = 50;
  Stream stream({9, Purpose::move, 0, 0, 0});
  Matrix points(kDim, kChains * kLength);
  for (Index c = 0; c < kChains; ++c) {
    const Vector begin = draw_normals(stream, kDim);
    for (Index i = 0; i < kLength; ++i) points.col(c * kLength + i) = begin + 0.3 * draw_normals(stream, kDim);
  }
  const Vector weights = equal_weights(points.cols());
  MixtureFitOptions options;
  options.max_components = 6;
  options.num_independent = kChains;
  const auto mixture = fit_proposal_mixture(points, weights, options, stream);
  double of_new = 0.0, of_single = 0.0;
  const auto single = fit_proposal_mixture(points, weights, {.max_components = 1}, stream);
  for (int i = 0; i < 1000; ++i) {
    const Vector x = draw_normals(stream, kDim);
    of_new += mixture.log_density(x) / 1000.0;
    of_single += single.log_density(x) / 1000.0;
  }
  EXPECT_GT(of_new, of_single - 1.0);
}

TEST(FitProposalMixture, TakesSomeOfVeryManyPoints) {
  const Cluster left{Vector{{-5.0, 0.0}}, Matrix{{0.5, 0.0}, {0.3, 0.4}}, 6000};
  const Cluster right{Vector{{5.0, 3.0}}, Matrix{{1.0, 0.0}, {-0.5, 0.7}}, 6000};
  const auto mixture = fit(draw_clusters({left, right}), equal_weights(12000));
  ASSERT_EQ(mixture.components().size(), 2u);
  EXPECT_NEAR(mixture.components()[0].weight, 0.5, 0.01);
}

TEST(FitProposalMixture, FollowsTheWeightsNotTheCounts) {
  const Cluster left{Vector{{-5.0, 0.0}}, Matrix{{1.0, 0.0}, {0.0, 1.0}}, 1000};
  const Cluster right{Vector{{5.0, 0.0}}, Matrix{{1.0, 0.0}, {0.0, 1.0}}, 1000};
  const Matrix points = draw_clusters({left, right});
  Vector weights = equal_weights(2000);
  weights.head(1000).setConstant(0.1 / 1000);
  weights.tail(1000).setConstant(0.9 / 1000);
  const auto both = fit(points, weights);
  ASSERT_EQ(both.components().size(), 2u);
  EXPECT_NEAR(std::min(both.components()[0].weight, both.components()[1].weight), 0.1, 0.01);

  weights.head(1000).setZero();
  const auto one = fit(points, weights / weights.sum());
  ASSERT_EQ(one.components().size(), 1u);
  EXPECT_NEAR(one.components()[0].mean[0], 5.0, 5.0 / std::sqrt(1000.0));
}

TEST(FitProposalMixture, DoesNotDependOnUnits) {
  const Cluster left{Vector{{-5.0, 0.0}}, Matrix{{0.5, 0.0}, {0.3, 0.4}}, 300};
  const Cluster right{Vector{{5.0, 3.0}}, Matrix{{1.0, 0.0}, {-0.5, 0.7}}, 300};
  const Matrix points = draw_clusters({left, right});
  const Vector units{{100.0, 0.1}}, shift{{7.0, -40.0}};
  const Matrix scaled = (units.asDiagonal() * points).colwise() + shift;
  const auto here = fit(points, equal_weights(600));
  const auto there = fit(scaled, equal_weights(600));
  ASSERT_EQ(here.components().size(), there.components().size());
  for (const Index i : {0, 17, 450}) {
    // The ridge of regularised_factor, 1e-12 of the larger variance 2.5e5, is 1e-5 of the smaller one.
    EXPECT_NEAR(there.log_density(scaled.col(i)) + units.array().log().sum(), here.log_density(points.col(i)), 0.02);
  }
}

TEST(FitProposalMixture, IsTheSameEveryTime) {
  const Matrix points = draw_clusters({{Vector{{0.0, 0.0}}, Matrix{{1.0, 0.0}, {0.0, 1.0}}, 200}});
  const auto a = fit(points, equal_weights(200)), b = fit(points, equal_weights(200));
  EXPECT_EQ(a.log_density(Vector{{0.3, 0.4}}), b.log_density(Vector{{0.3, 0.4}}));
}

// Few effective points, coincident points, points on a line: a proper mixture with finite density comes out,
// wide enough to be drawn from.
TEST(FitProposalMixture, DegeneratePointsStillGiveAProperDensity) {
  Matrix line(3, 50);
  for (Index i = 0; i < 50; ++i) line.col(i) = Vector::Constant(3, static_cast<double>(i));
  for (const Matrix& points : {Matrix(Matrix::Zero(3, 1)), Matrix(Matrix::Ones(3, 40)), line}) {
    const auto mixture = fit(points, equal_weights(points.cols()));
    ASSERT_GE(mixture.components().size(), 1u);
    Stream stream({4, Purpose::move, 0, 0, 0});
    for (int i = 0; i < 10; ++i) {
      const Vector x = mixture.draw(stream);
      EXPECT_TRUE(x.allFinite());
      EXPECT_TRUE(std::isfinite(mixture.log_density(x)));
    }
  }
}

}  // namespace
}  // namespace ta2s2
