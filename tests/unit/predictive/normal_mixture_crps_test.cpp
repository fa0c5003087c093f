#include "ta2s2/predictive/normal_mixture_crps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

const std::vector<double> kWeights = {0.2, 0.5, 0.3};
const std::vector<double> kMeans = {-1.0, 0.5, 4.0};
const std::vector<double> kSds = {0.5, 1.0, 2.0};

// mpmath 1.2 at 25 digits: quad(F^2, [-60, y]) + quad((1 - F)^2, [y, 60]), F = sum w ncdf((x - m)/s).
TEST(NormalMixtureCrps, AgreesWithMpmath) {
  const std::vector<std::pair<double, double>> truths = {
      {-3.0, 2.9943953135241065}, {1.0, 0.52723136542001099}, {9.0, 6.4966701910668468}};
  for (const auto& [y, crps] : truths) {
    EXPECT_NEAR(normal_mixture_crps_by_pairs(kWeights, kMeans, kSds, y), crps, 1e-14);
    EXPECT_NEAR(normal_mixture_crps_by_quadrature(kWeights, kMeans, kSds, y), crps, 1e-11);
  }
}

TEST(NormalMixtureCrps, OfOneNormalIsTheTextbookForm) {
  const double z = 0.7;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double expected = 2.0 * (z * std::erf(z / std::numbers::sqrt2) + 2.0 * density - std::numbers::inv_sqrtpi);
  const double one[] = {1.0}, mean[] = {3.0}, sd[] = {2.0};
  EXPECT_NEAR(normal_mixture_crps(one, mean, sd, 3.0 + 2.0 * z), expected, 1e-15);
}

TEST(NormalMixtureCrps, OfPointsIsTheAbsoluteErrorLessHalfTheirDistance) {
  const double weights[] = {0.5, 0.5}, means[] = {0.0, 1.0}, sds[] = {0.0, 0.0};
  EXPECT_DOUBLE_EQ(normal_mixture_crps_by_pairs(weights, means, sds, 3.0), 2.5 - 0.25);
  EXPECT_DOUBLE_EQ(normal_mixture_crps_by_quadrature(weights, means, sds, 3.0), 2.5 - 0.25);
}

// The two ways on either side of the switch; the quadrature is good to 1e-11 for scales this alike.
TEST(NormalMixtureCrps, BothWaysAgreeForManyComponents) {
  Stream stream({.seed = 7, .purpose = Purpose::predictive_draw});
  for (const int count : {kMostNormalPairs, kMostNormalPairs + 1, 700}) {
    const std::vector<double> weights(static_cast<std::size_t>(count), 1.0 / count);
    std::vector<double> means, sds;
    for (int i = 0; i < count; ++i) {
      means.push_back(2.0 * draw_normal(stream));
      sds.push_back(std::exp(0.5 * draw_normal(stream)));
    }
    const double by_pairs = normal_mixture_crps_by_pairs(weights, means, sds, 0.4);
    EXPECT_NEAR(normal_mixture_crps_by_quadrature(weights, means, sds, 0.4), by_pairs, 1e-10);
    EXPECT_NEAR(normal_mixture_crps(weights, means, sds, 0.4), by_pairs, 1e-10);
  }
}

}  // namespace
}  // namespace ta2s2
