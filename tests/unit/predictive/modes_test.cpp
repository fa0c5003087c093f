#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/rng/draws.hpp"
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

constexpr Index kModeDraws = 2000;

using Draw = std::function<Vector(Stream&)>;

PosteriorSample exact_sample(const TargetDensity& target, const Draw& draw, Index count = kModeDraws) {
  Stream stream({.seed = 4, .purpose = Purpose::start_point});
  PosteriorSample sample{target.names(), Matrix(target.dim(), count),
                         Vector::Constant(count, 1.0 / static_cast<double>(count)), Vector(count)};
  std::vector<Energy> energies(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) sample.positions.col(i) = draw(stream);
  target.energies(sample.positions, *target.make_workspace(), energies);
  for (Index i = 0; i < count; ++i) sample.energies[i] = energies[static_cast<std::size_t>(i)].total();
  return sample;
}

Vector filled(Index dim, double value) {
  return Vector::Constant(dim, value);
}

// Two normals of sd 0.5, a distance apart, the second with a share of 0.3.
struct TwoNormals {
  static constexpr double kSd = 0.5, kShare = 0.3;
  Index dim;
  double distance;

  double log_density(VectorView x) const {
    Vector second = x;
    second[0] -= distance;
    const double scale = -0.5 / (kSd * kSd);
    return log_add_exp(std::log(1.0 - kShare) + scale * x.squaredNorm(),
                       std::log(kShare) + scale * second.squaredNorm());
  }
  Vector draw(Stream& stream) const {
    Vector x = kSd * draw_normals(stream, dim);
    if (draw_uniform(stream) < kShare) x[0] += distance;
    return x;
  }
  Box box() const { return {filled(dim, -8.0), filled(dim, 8.0)}; }
  FunctionTarget target() const {
    return FunctionTarget([*this](VectorView x) { return log_density(x); }, box().low, box().high);
  }
  std::vector<Mode> modes() const {
    const FunctionTarget density = target();
    return find_modes(density, box(), exact_sample(density, [this](Stream& stream) { return draw(stream); }));
  }
};

TEST(FindModes, FindsTwoWithTheirPlacesAndWeights) {
  for (const Index dim : {Index{1}, Index{2}, Index{5}}) {
    SCOPED_TRACE(dim);
    const auto modes = TwoNormals{dim, 4.0}.modes();
    ASSERT_EQ(modes.size(), 2u);
    // Five binomial standard errors; at eight sds apart every draw is assigned rightly.
    const double error = 5.0 * std::sqrt(0.3 * 0.7 / kModeDraws);
    EXPECT_NEAR(modes[0].weight, 0.7, error);
    EXPECT_NEAR(modes[1].weight, 0.3, error);
    const Vector origin = Vector::Zero(dim);
    Vector second = origin;
    second[0] = 4.0;
    EXPECT_LT((modes[0].position - origin).cwiseAbs().maxCoeff(), 2e-3);
    EXPECT_LT((modes[1].position - second).cwiseAbs().maxCoeff(), 2e-3);
    EXPECT_NEAR(modes[0].energy, -std::log(0.7), 1e-5);
    EXPECT_NEAR(modes[1].energy, -std::log(0.3), 1e-5);
    // Moments of the draws of each: five standard errors of the mean of 600 draws, and of an sd.
    EXPECT_LT((modes[1].mean - second).cwiseAbs().maxCoeff(), 5.0 * 0.5 / std::sqrt(0.3 * kModeDraws));
    EXPECT_LT((modes[1].sd.array() - 0.5).abs().maxCoeff(), 5.0 * 0.5 / std::sqrt(2.0 * 0.3 * kModeDraws));
  }
}

// Two sds apart the density falls nowhere between the tops.
TEST(FindModes, TwoComponentsWithoutAValleyAreOneMode) {
  const auto modes = TwoNormals{2, 1.0}.modes();
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].weight, 1.0, 0.005);
}

// Eight sds apart: the nearer top owns a point, whatever sample made the partition.
TEST(ModePartition, SaysWhereAnyPointBelongs) {
  const TwoNormals two{2, 4.0};
  const FunctionTarget target = two.target();
  const PosteriorSample sample = exact_sample(target, [&](Stream& stream) { return two.draw(stream); });
  ThreadExecutor executor(2);
  const ModePartition partition = divide_into_modes(target, two.box(), sample, executor);
  ASSERT_EQ(partition.modes().size(), 2u);
  const std::vector<Index> found = partition.modes_of(Matrix{{0.3, 3.8, -0.9, 4.4}, {0.2, -0.5, 0.8, 0.7}});
  EXPECT_EQ(found, (std::vector<Index>{0, 1, 0, 1}));
  const std::vector<Index> own = partition.modes_of(sample.positions);
  double weight = 0.0;
  for (std::size_t i = 0; i < own.size(); ++i) weight += own[i] == 1 ? sample.weights[static_cast<Index>(i)] : 0.0;
  EXPECT_NEAR(weight, partition.modes()[1].weight, 1e-12);
}

// Two sds apart: however many components there are, they are one mode.
TEST(ModePartition, MergedComponentsAreOneMode) {
  const TwoNormals one{2, 1.0};
  const FunctionTarget target = one.target();
  const PosteriorSample sample = exact_sample(target, [&](Stream& stream) { return one.draw(stream); });
  ThreadExecutor executor(2);
  const ModePartition partition = divide_into_modes(target, one.box(), sample, executor);
  ASSERT_EQ(partition.modes().size(), 1u);
  for (const Index mode : partition.modes_of(Matrix{{0.0, 1.0, -0.5, 1.5}, {0.0, 0.0, 0.5, 0.3}})) EXPECT_EQ(mode, 0);
}

TEST(FindModes, WeighsTheDraws) {
  const TwoNormals two{2, 4.0};
  const FunctionTarget target = two.target();
  PosteriorSample sample = exact_sample(target, [&](Stream& stream) { return two.draw(stream); });
  // Nine times the weight for draws near the second mode: 0.3 becomes 2.7 / 3.4.
  for (Index i = 0; i < sample.size(); ++i) sample.weights[i] *= sample.positions(0, i) > 2.0 ? 9.0 : 1.0;
  sample.weights /= sample.weights.sum();
  const auto modes = find_modes(target, two.box(), sample);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].weight, 2.7 / 3.4, 0.03);
  EXPECT_NEAR(modes[0].position[0], 4.0, 2e-3);
}

// x_2 ~ N(bend (x_1^2 - 1), 0.3^2): one crescent, which a mixture covers with several components.
struct Banana {
  double bend;

  double log_density(VectorView x) const {
    const double across = (x[1] - bend * (x[0] * x[0] - 1.0)) / 0.3;
    return -0.5 * x[0] * x[0] - 0.5 * across * across;
  }
  Vector draw(Stream& stream) const {
    const double along = draw_normal(stream);
    const double across = 0.3 * draw_normal(stream);
    return Vector{{along, bend * (along * along - 1.0) + across}};
  }
};

class FindModesInABanana : public testing::TestWithParam<double> {};

TEST_P(FindModesInABanana, IsOne) {
  const Banana banana{GetParam()};
  const Box box{filled(2, -20.0), filled(2, 60.0)};
  const FunctionTarget target([&](VectorView x) { return banana.log_density(x); }, box.low, box.high);
  const auto modes = find_modes(target, box, exact_sample(target, [&](Stream& stream) { return banana.draw(stream); }));
  ASSERT_EQ(modes.size(), 1u) << "weights " << modes[0].weight << ", " << modes[1].weight;
  EXPECT_NEAR(modes[0].weight, 1.0, 0.01);
  EXPECT_NEAR(modes[0].position[0], 0.0, 0.01);
  EXPECT_NEAR(modes[0].position[1], -GetParam(), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Bends, FindModesInABanana, testing::Values(0.0, 0.3, 1.0, 2.0));

TEST(FindModes, FindsAModeOnTheBorderOfTheBox) {
  const Box box{filled(2, 0.0), filled(2, 5.0)};
  const FunctionTarget target([](VectorView x) { return -x.sum(); }, box.low, box.high);
  const auto draw = [](Stream& stream) {
    Vector x(2);
    do {
      x << draw_exponential(stream), draw_exponential(stream);
    } while (x.maxCoeff() > 5.0);
    return x;
  };
  const auto modes = find_modes(target, box, exact_sample(target, draw));
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_LT(modes[0].position.maxCoeff(), 2e-3);
}

TEST(FindModes, AFewDrawsSuffice) {
  const TwoNormals two{2, 4.0};
  const FunctionTarget target = two.target();
  const PosteriorSample sample = exact_sample(
      target, [&](Stream& stream) { return two.draw(stream); }, 60);
  EXPECT_EQ(find_modes(target, two.box(), sample).size(), 2u);
}

}  // namespace
}  // namespace ta2s2
