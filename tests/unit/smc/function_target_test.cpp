#include "ta2s2/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

Energy energy_at(const FunctionTarget& target, const Vector& x) {
  const auto workspace = target.make_workspace();
  std::vector<Energy> out(1);
  target.energies(x, *workspace, out);
  return out[0];
}

double half_square(VectorView x) {
  return -0.5 * x.squaredNorm();
}

TEST(FunctionTarget, SplitsTheEnergyIntoUniformStartAndRest) {
  const FunctionTarget target(half_square, Vector{{-1.0, 0.0}}, Vector{{3.0, 5.0}});
  const Energy energy = energy_at(target, Vector{{1.0, 2.0}});
  EXPECT_TRUE(energy.possible());
  EXPECT_NEAR(energy.start, std::log(20.0), 1e-14);  // -log of the uniform density on a box of volume 20
  EXPECT_NEAR(energy.total(), 2.5, 1e-14);
}

TEST(FunctionTarget, TheBoxIsClosedAndNothingIsAskedOutsideIt) {
  int calls = 0;
  const FunctionTarget target([&calls](VectorView) { return 0.0 * ++calls; }, Vector{{0.0}}, Vector{{1.0}});
  for (const double inside : {0.0, 1.0}) EXPECT_TRUE(energy_at(target, Vector{{inside}}).possible());
  EXPECT_EQ(calls, 2);
  for (const double outside : {-1e-12, 1.0 + 1e-12, 1e300}) {
    EXPECT_EQ(energy_at(target, Vector{{outside}}).reason, Impossible::outside_box);
  }
  EXPECT_EQ(calls, 2);
}

TEST(FunctionTarget, AFunctionWithoutAFiniteValueIsImpossibleNeverNan) {
  for (const double value : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    const FunctionTarget target([value](VectorView) { return value; }, Vector{{0.0}}, Vector{{1.0}});
    const Energy energy = energy_at(target, Vector{{0.5}});
    EXPECT_EQ(energy.reason, Impossible::not_finite);
    EXPECT_EQ(energy.at(0.0), kInfinity);
  }
}

TEST(FunctionTarget, APointsEnergyDoesNotDependOnItsBlock) {
  const FunctionTarget target(half_square, Vector{{-9.0, -9.0}}, Vector{{9.0, 9.0}});
  Stream stream({1, Purpose::start_point, 0, 0, 0});
  Matrix block(2, 5);
  for (Index i = 0; i < 5; ++i) block.col(i) = target.draw_start(stream);
  block.col(3).setConstant(10.0);
  std::vector<Energy> together(5);
  const auto workspace = target.make_workspace();
  target.energies(block, *workspace, together);
  for (Index i = 0; i < 5; ++i) {
    const Energy alone = energy_at(target, block.col(i));
    EXPECT_EQ(together[static_cast<std::size_t>(i)].total(), alone.total());
    EXPECT_EQ(together[static_cast<std::size_t>(i)].reason, alone.reason);
  }
}

TEST(FunctionTarget, StartsUniformlyInTheBox) {
  const FunctionTarget target(half_square, Vector{{-1.0, 10.0}}, Vector{{1.0, 14.0}});
  Stream stream({1, Purpose::start_point, 0, 0, 0});
  constexpr int kDraws = 20000;
  Vector sum = Vector::Zero(2);
  for (int i = 0; i < kDraws; ++i) {
    const Vector x = target.draw_start(stream);
    ASSERT_TRUE(energy_at(target, x).possible());
    sum += x;
  }
  // Uniform on a width w has variance w^2 / 12; five sds.
  EXPECT_NEAR(sum[0] / kDraws, 0.0, 5.0 * std::sqrt(4.0 / 12.0 / kDraws));
  EXPECT_NEAR(sum[1] / kDraws, 12.0, 5.0 * std::sqrt(16.0 / 12.0 / kDraws));
}

TEST(FunctionTarget, NamesWhatTheUserDidNot) {
  const FunctionTarget target(half_square, Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}, {"width"});
  EXPECT_EQ(target.names(), (std::vector<std::string>{"width", "x2"}));
}

TEST(FunctionTarget, RefusesAnImpossibleBox) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<Vector, Vector>> boxes = {
      {Vector{}, Vector{}},           {Vector{{0.0}}, Vector{{1.0, 2.0}}}, {Vector{{1.0}}, Vector{{1.0}}},
      {Vector{{2.0}}, Vector{{1.0}}}, {Vector{{nan}}, Vector{{1.0}}},      {Vector{{0.0, 0.0}}, Vector{{1.0, -1.0}}}};
  for (const auto& [low, high] : boxes) {
    try {
      const FunctionTarget target(half_square, low, high);
      ADD_FAILURE() << "accepted a box of " << low.size() << " and " << high.size() << " bounds";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
    }
  }
}

TEST(FunctionTarget, ABlockHoldsTheColumnsInsideTheBoxAlone) {
  std::vector<double> seen;
  const FunctionTarget::BlockLogDensity density = [&seen](MatrixView points, std::span<double> out) {
    for (Index i = 0; i < points.cols(); ++i) {
      seen.push_back(points(0, i));
      out[static_cast<std::size_t>(i)] = -points(0, i);
    }
  };
  const FunctionTarget target(density, 64, Vector{{0.0}}, Vector{{1.0}});
  EXPECT_EQ(target.lanes(), 64);
  const auto workspace = target.make_workspace();
  std::vector<Energy> out(4);
  target.energies(Matrix{{0.25, 7.0, 0.75, -7.0}}, *workspace, out);
  EXPECT_EQ(seen, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(out[0].total(), 0.25);
  EXPECT_EQ(out[1].reason, Impossible::outside_box);
  EXPECT_EQ(out[2].total(), 0.75);
  EXPECT_EQ(out[3].reason, Impossible::outside_box);
}

TEST(FunctionTarget, APointThatIsNoNumberIsOutsideAndIsNotAskedFor) {
  int calls = 0;
  const FunctionTarget target([&calls](VectorView) { return 0.0 * ++calls; }, Vector{{0.0}}, Vector{{1.0}});
  EXPECT_EQ(energy_at(target, Vector{{std::numeric_limits<double>::quiet_NaN()}}).reason, Impossible::outside_box);
  EXPECT_EQ(calls, 0);
}

// ---- with a gradient ----

double half_square_with_gradient(VectorView x, Vector& gradient) {
  gradient = -x;
  return -0.5 * x.squaredNorm();
}

const FunctionTarget::LogDensityAndGradient kOnePoint = half_square_with_gradient;
const FunctionTarget::BlockLogDensityAndGradient kBlock = [](MatrixView points, std::span<double> out,
                                                             Eigen::Ref<Matrix> gradients) {
  for (Index i = 0; i < points.cols(); ++i) out[static_cast<std::size_t>(i)] = -0.5 * points.col(i).squaredNorm();
  gradients = -points;
};

const Vector kLowOfSquare{{-9.0, -9.0}}, kHighOfSquare{{9.0, 9.0}};

TEST(FunctionTargetGradient, IsThereIfItWasGiven) {
  EXPECT_FALSE(FunctionTarget(half_square, kLowOfSquare, kHighOfSquare).has_gradient());
  EXPECT_TRUE(FunctionTarget(kOnePoint, kLowOfSquare, kHighOfSquare).has_gradient());
  EXPECT_TRUE(FunctionTarget(kBlock, 16, kLowOfSquare, kHighOfSquare).has_gradient());
  EXPECT_EQ(FunctionTarget(kBlock, 16, kLowOfSquare, kHighOfSquare).lanes(), 16);
}

// Of H = -log density; values are those that are found without the gradient. Columns outside the box keep their places.
TEST(FunctionTargetGradient, ComesWithTheValueOfEveryColumnInsideTheBox) {
  const Matrix points{{1.0, 20.0, -3.0, 0.0, 2.0}, {0.5, 0.0, 4.0, -10.0, -9.0}};
  for (const FunctionTarget& target : {FunctionTarget(kOnePoint, kLowOfSquare, kHighOfSquare),
                                       FunctionTarget(kBlock, 2, kLowOfSquare, kHighOfSquare)}) {
    const auto workspace = target.make_workspace();
    std::vector<Energy> energies(5);
    Matrix gradients(2, 5);
    target.energies_and_gradients(points, *workspace, energies, gradients);
    for (Index i = 0; i < 5; ++i) {
      const Energy& energy = energies[static_cast<std::size_t>(i)];
      const Energy alone = energy_at(target, points.col(i));
      EXPECT_EQ(energy.reason, i == 1 || i == 3 ? Impossible::outside_box : Impossible::no);
      EXPECT_EQ(energy.start, alone.start);
      EXPECT_EQ(energy.tempered, alone.tempered);
      Vector gradient;
      EXPECT_EQ(target.energy_and_gradient(points.col(i), *workspace, gradient).total(), energy.total());
      if (!energy.possible()) continue;
      EXPECT_EQ(energy.total(), 0.5 * points.col(i).squaredNorm());
      EXPECT_EQ(gradients.col(i), points.col(i));
      EXPECT_EQ(gradient, points.col(i));
    }
  }
}

TEST(FunctionTargetGradient, IsNotAskedForOutsideTheBox) {
  int calls = 0;
  const FunctionTarget::LogDensityAndGradient counted = [&calls](VectorView x, Vector& gradient) {
    ++calls;
    return half_square_with_gradient(x, gradient);
  };
  const FunctionTarget target(counted, kLowOfSquare, kHighOfSquare);
  const auto workspace = target.make_workspace();
  Vector gradient;
  EXPECT_EQ(target.energy_and_gradient(Vector{{10.0, 0.0}}, *workspace, gradient).reason, Impossible::outside_box);
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(gradient.allFinite());
}

TEST(FunctionTargetGradient, AValueThatIsNotFiniteIsImpossible) {
  for (const double value : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    const FunctionTarget::LogDensityAndGradient density = [value](VectorView, Vector&) { return value; };
    const FunctionTarget target(density, Vector{{0.0}}, Vector{{1.0}});
    Vector gradient;
    const auto workspace = target.make_workspace();
    EXPECT_EQ(target.energy_and_gradient(Vector{{0.5}}, *workspace, gradient).reason, Impossible::not_finite);
  }
}

// A gradient is written into a vector of the user's making: one of another size must not be read as if it were right.
TEST(FunctionTargetGradient, OfAnotherSizeIsRefused) {
  for (const Index size : {Index{0}, Index{1}, Index{3}}) {
    const FunctionTarget::LogDensityAndGradient wrong = [size](VectorView, Vector& gradient) {
      gradient = Vector::Ones(size);
      return 0.0;
    };
    const FunctionTarget target(wrong, kLowOfSquare, kHighOfSquare);
    const auto workspace = target.make_workspace();
    Vector gradient;
    try {
      target.energy_and_gradient(Vector{{0.5, 0.5}}, *workspace, gradient);
      ADD_FAILURE() << "took a gradient of " << size << " numbers";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
    }
    EXPECT_THROW(energy_at(target, Vector{{0.5, 0.5}}), Error);
  }
}

}  // namespace
}  // namespace ta2s2
