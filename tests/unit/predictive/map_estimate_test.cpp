#include "ta2s2/predictive/map_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {
namespace {

Vector point(double a, double b) {
  return Vector{{a, b}};
}

const Box kBox{point(-5.0, -5.0), point(5.0, 5.0)};

MapEstimate refine_log_density(const FunctionTarget::LogDensity& log_density, const Vector& start) {
  return refine(FunctionTarget(log_density, kBox.low, kBox.high), kBox, start);
}

// The search ends when a step changes H by less than 1e-9 or the position by less than 1e-5. Around the
// optimum of a quadratic H of curvature 1 a change of 1e-9 is a distance of 5e-5; simplices end a few times
// that away.
constexpr double kNear = 1e-3;

TEST(Refine, FindsACorrelatedOptimum) {
  const auto log_density = [](VectorView x) {
    const double a = x[0] - 1.0, b = x[1] + 2.0;
    return -0.5 * (4.0 * a * a + 6.0 * a * b + 4.0 * b * b);
  };
  const MapEstimate found = refine_log_density(log_density, point(-3.0, 4.0));
  EXPECT_NEAR(found.position[0], 1.0, kNear);
  EXPECT_NEAR(found.position[1], -2.0, kNear);
  EXPECT_NEAR(found.energy, 0.0, 1e-6);
  EXPECT_GT(found.evaluations, 10);
}

// Rosenbrock's valley, from its far end.
TEST(Refine, FollowsACurvedValley) {
  const auto log_density = [](VectorView x) {
    return -std::pow(1.0 - x[0], 2) - 20.0 * std::pow(x[1] - x[0] * x[0], 2);
  };
  const MapEstimate found = refine_log_density(log_density, point(-1.5, 2.0));
  EXPECT_LT(found.energy, 1e-4);
  EXPECT_NEAR(found.position[0], 1.0, 0.02);
  EXPECT_NEAR(found.position[1], 1.0, 0.04);
}

TEST(Refine, FindsAnOptimumOnTheBorderAndInACorner) {
  const MapEstimate border = refine_log_density([](VectorView x) { return x[0] - x[1] * x[1]; }, point(0.0, 1.0));
  EXPECT_NEAR(border.position[0], 5.0, kNear);
  EXPECT_NEAR(border.position[1], 0.0, kNear);
  EXPECT_NEAR(border.energy, -5.0, kNear);
  const MapEstimate corner = refine_log_density([](VectorView x) { return x[0] - 2.0 * x[1]; }, point(0.0, 1.0));
  EXPECT_NEAR(corner.position[0], 5.0, kNear);
  EXPECT_NEAR(corner.position[1], -5.0, kNear);
}

TEST(Refine, NeverLeavesTheBoxNorStartsFromOutside) {
  for (const Vector& start : {point(5.0, 5.0), point(-5.0, 0.0), point(4.9999, -4.9999)}) {
    const MapEstimate found = refine_log_density([](VectorView x) { return x.sum(); }, start);
    EXPECT_TRUE((found.position.array() <= 5.0).all() && (found.position.array() >= -5.0).all());
    EXPECT_NEAR(found.energy, -10.0, 2.0 * kNear);
  }
}

TEST(Refine, IsNeverWorseThanItsStart) {
  const auto log_density = [](VectorView x) { return std::cos(40.0 * x[0]) + std::cos(37.0 * x[1]) - 0.01 * x.norm(); };
  for (const Vector& start : {point(0.0, 0.0), point(1.3, -2.2), point(-4.0, 4.4)}) {
    EXPECT_LE(refine_log_density(log_density, start).energy, -log_density(start));
  }
}

// Impossible points are met on the way: the optimum lies on the border of a disc outside which there is no
// density.
TEST(Refine, PutsUpWithImpossiblePoints) {
  const auto log_density = [](VectorView x) {
    return x.norm() <= 2.0 ? x[0] : std::numeric_limits<double>::quiet_NaN();
  };
  const MapEstimate found = refine_log_density(log_density, point(0.1, 0.2));
  EXPECT_LE(found.position.norm(), 2.0);
  EXPECT_LT(found.energy, -1.9);
}

TEST(Refine, ReportsTheEnergyOfItsPosition) {
  const auto log_density = [](VectorView x) { return -std::pow(x[0] - 0.3, 4) - std::abs(x[1] - 1.0); };
  const MapEstimate found = refine_log_density(log_density, point(2.0, 2.0));
  EXPECT_NEAR(found.energy, -log_density(found.position), 1e-12);  // E0 + E1 rounds
}

// A step's energies are shared out, its decisions are not.
TEST(Refine, FindsTheSameBitsOnAnyNumberOfWorkers) {
  const auto log_density = [](VectorView x) {
    return -std::pow(1.0 - x[0], 2) - 20.0 * std::pow(x[1] - x[0] * x[0], 2);
  };
  const FunctionTarget target(log_density, kBox.low, kBox.high);
  const MapEstimate alone = refine(target, kBox, point(-1.5, 2.0));
  for (const int threads : {1, 2, 7}) {
    ThreadExecutor executor(threads);
    const MapEstimate shared = refine(kBox, point(-1.5, 2.0), PointEvaluator(target, executor));
    EXPECT_EQ(shared.position, alone.position);
    EXPECT_EQ(shared.energy, alone.energy);
    EXPECT_EQ(shared.evaluations, alone.evaluations);
  }
}

// Fewer than fifty steps of 2 d + 1 = 21.
TEST(Refine, TakesFewEvaluationsOfASmoothDensity) {
  const Index dim = 10;
  const Vector low = Vector::Constant(dim, -7.0), high = Vector::Constant(dim, 7.0);
  const Vector curvature = Vector::LinSpaced(dim, 0.1, 10.0);
  const FunctionTarget target(
      [&](VectorView x) { return -0.5 * (curvature.array() * (x.array() - 1.0).square()).sum(); }, low, high);
  EXPECT_LT(refine(target, {low, high}, Vector::Zero(dim)).evaluations, 1000);
}

TEST(Refine, KnowsOneAndTenDimensions) {
  for (const Index dim : {Index{1}, Index{10}}) {
    const Vector low = Vector::Constant(dim, -7.0), high = Vector::Constant(dim, 7.0);
    const Vector optimum = Vector::LinSpaced(dim, -2.0, 3.0);
    const FunctionTarget target([&](VectorView x) { return -0.5 * (x - optimum).squaredNorm(); }, low, high);
    const MapEstimate found = refine(target, {low, high}, Vector::Zero(dim));
    EXPECT_LT((found.position - optimum).cwiseAbs().maxCoeff(), kNear) << dim;
  }
}

TEST(Refine, ThrowsWhatTheTargetThrows) {
  int calls = 0;
  const auto log_density = [&calls](VectorView x) {
    if (++calls > 7) throw std::out_of_range("the table ends here");
    return -x.squaredNorm();
  };
  EXPECT_THROW(refine_log_density(log_density, point(3.0, 3.0)), std::out_of_range);
  EXPECT_EQ(calls, 8);
}

}  // namespace
}  // namespace ta2s2
