#include "ta2s2/smc/component_distances.hpp"

#include <gtest/gtest.h>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {
namespace {

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
