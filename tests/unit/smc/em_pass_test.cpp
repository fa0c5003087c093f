#include "ta2s2/smc/detail/em_pass.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::detail {
namespace {

std::vector<TComponent> some_components(Index d, int count, Stream& stream) {
  std::vector<TComponent> components;
  for (int c = 0; c < count; ++c) {
    Matrix factor = Matrix::Identity(d, d);
    for (Index r = 0; r < d; ++r) {
      for (Index j = 0; j < r; ++j) factor(r, j) = 0.3 * draw_normal(stream);
    }
    components.push_back({1.0 / count, draw_normals(stream, d), (0.5 + draw_uniform(stream)) * factor});
  }
  return components;
}

// The same sums point by point.
EmPass plain_pass(const Matrix& points, const Vector& weights, const std::vector<TComponent>& components) {
  const Index d = points.rows();
  const ProposalMixture mixture(components);
  EmPass pass;
  pass.sums.assign(components.size(), {0.0, 0.0, Vector::Zero(d), Matrix::Zero(d, d)});
  for (Index i = 0; i < points.cols(); ++i) {
    const MixturePoint point = mixture.at(points.col(i));
    pass.mean_log_density += weights[i] * point.log_density;
    for (std::size_t c = 0; c < components.size(); ++c) {
      const double held = weights[i] * point.share_of[c];
      const double freedom = kMixtureFreedom + static_cast<double>(d);
      const double precise = held * freedom / (kMixtureFreedom + point.squared_distance_to[c]);
      const Vector difference = points.col(i) - components[c].mean;
      pass.sums[c].held += held;
      pass.sums[c].precise += precise;
      pass.sums[c].first += precise * difference;
      pass.sums[c].second += precise * difference * difference.transpose();
    }
  }
  return pass;
}

class EmPassOnEachPath : public testing::TestWithParam<InstructionSet> {};

// Numbers of points that do and do not fill whole vectors; whole and half powers of the density.
TEST_P(EmPassOnEachPath, EqualsPlainSums) {
  Stream stream({1, Purpose::mixture_fit, 0, 0, 0});
  for (const Index d : {1, 2, 3, 6, 11}) {
    for (const Index n : {1, 7, 8, 61, 200, 1100}) {
      Matrix points(d, n);
      for (Index i = 0; i < n; ++i) points.col(i) = 3.0 * draw_normals(stream, d);
      Vector weights(n);
      for (double& weight : weights) weight = draw_uniform(stream);
      weights /= weights.sum();
      const auto components = some_components(d, 4, stream);
      const EmPass plain = plain_pass(points, weights, components);
      const EmPass pass = em_pass(EmPoints(points, weights), components, GetParam());
      EXPECT_NEAR(pass.mean_log_density, plain.mean_log_density, 1e-12 * std::abs(plain.mean_log_density));
      ASSERT_EQ(pass.sums.size(), plain.sums.size());
      for (std::size_t c = 0; c < components.size(); ++c) {
        EXPECT_NEAR(pass.sums[c].held, plain.sums[c].held, 1e-12);
        EXPECT_NEAR(pass.sums[c].precise, plain.sums[c].precise, 1e-11);
        EXPECT_LT((pass.sums[c].first - plain.sums[c].first).norm(), 1e-11 * (1.0 + plain.sums[c].first.norm()));
        const Matrix lower = plain.sums[c].second.triangularView<Eigen::Lower>();
        EXPECT_LT((pass.sums[c].second - lower).norm(), 1e-11 * (1.0 + lower.norm()));
      }
    }
  }
}

TEST_P(EmPassOnEachPath, HasTheSameBitsOnAnyNumberOfThreads) {
  Stream stream({3, Purpose::mixture_fit, 0, 0, 0});
  Matrix points(4, 1700);
  for (Index i = 0; i < points.cols(); ++i) points.col(i) = 3.0 * draw_normals(stream, 4);
  const EmPoints data(points, Vector::Constant(points.cols(), 1.0 / 1700.0));
  const auto components = some_components(4, 3, stream);
  const EmPass alone = em_pass(data, components, GetParam());
  for (const int num_threads : {1, 2, 3}) {
    ThreadExecutor executor(num_threads);
    const EmPass shared = em_pass(data, components, GetParam(), &executor);
    EXPECT_EQ(shared.mean_log_density, alone.mean_log_density);
    for (std::size_t c = 0; c < components.size(); ++c) {
      EXPECT_EQ(shared.sums[c].held, alone.sums[c].held);
      EXPECT_EQ(shared.sums[c].second, alone.sums[c].second);
    }
  }
}

// A point that every component has all but lost still says something finite.
TEST_P(EmPassOnEachPath, IsFiniteFarAway) {
  Stream stream({2, Purpose::mixture_fit, 0, 0, 0});
  const Matrix points = Matrix::Constant(40, 1, 1e6);
  const EmPass pass = em_pass(EmPoints(points, Vector::Ones(1)), some_components(40, 2, stream), GetParam());
  EXPECT_TRUE(std::isfinite(pass.mean_log_density));
  EXPECT_NEAR(pass.sums[0].held + pass.sums[1].held, 1.0, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(List, EmPassOnEachPath, testing::ValuesIn(supported_instruction_sets()),
                         [](const auto& path) { return instruction_set_name(path.param); });

}  // namespace
}  // namespace ta2s2::detail
