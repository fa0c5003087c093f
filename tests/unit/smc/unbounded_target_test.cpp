#include "ta2s2/smc/unbounded_target.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite_difference.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {
namespace {

// Mass that leans on the upper border of the second coordinate.
FunctionTarget leaning() {
  return FunctionTarget([](VectorView x) { return -0.5 * x[0] * x[0] + 3.0 * x[1]; }, Vector{{-2.0, 0.0}},
                        Vector{{5.0, 1.0}});
}

std::vector<Energy> energies_at(const TargetDensity& target, const Matrix& points) {
  std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
  const auto workspace = target.make_workspace();
  target.energies(points, *workspace, energies);
  return energies;
}

// integral of exp(-E0 - beta E1) over u by the trapezoidal rule: the integrand falls like exp(-|u|) at both ends, so
// that what lies beyond 40 is below 1e-16, and the rule converges spectrally.
double integral_over_u(const TargetDensity& unbounded, double beta) {
  constexpr int kNodes = 401;
  constexpr double kReach = 40.0, kStep = 2.0 * kReach / (kNodes - 1);
  Matrix points(2, kNodes * kNodes);
  for (int i = 0; i < kNodes; ++i) {
    for (int j = 0; j < kNodes; ++j) points.col(i * kNodes + j) << -kReach + i * kStep, -kReach + j * kStep;
  }
  double sum = 0.0;
  for (const Energy& energy : energies_at(unbounded, points)) sum += std::exp(-energy.at(beta)) * kStep * kStep;
  return sum;
}

// The same integral in the box: exp(-(1 - beta) log volume) times closed forms of both coordinates.
double integral_over_box(double beta) {
  const double root = std::sqrt(0.5 * beta);
  const double normal =
      beta > 0.0 ? std::sqrt(M_PI) / (2.0 * root) * (std::erf(5.0 * root) - std::erf(-2.0 * root)) : 7.0;
  const double exponential = beta > 0.0 ? std::expm1(3.0 * beta) / (3.0 * beta) : 1.0;
  return std::pow(7.0, beta - 1.0) * normal * exponential;
}

TEST(UnboundedTarget, HasTheSameMassAtEveryTemperature) {
  const FunctionTarget target = leaning();
  const UnboundedTarget unbounded(target);
  for (const double beta : {0.0, 0.2, 1.0}) {
    EXPECT_NEAR(integral_over_u(unbounded, beta) / integral_over_box(beta), 1.0, 1e-6) << beta;
  }
}

// The same target with its gradient.
class LeaningWithGradient final : public DifferentiableTarget {
 public:
  Index dim() const override { return 2; }
  std::vector<std::string> names() const override { return target_.names(); }
  const Box* box() const override { return target_.box(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    target_.energies(points, workspace, out);
  }
  Vector draw_start(Stream& stream) const override { return target_.draw_start(stream); }
  Energy energy_and_gradient(VectorView x, Workspace& workspace, Vector& gradient) const override {
    Energy energy;
    target_.energies(x, workspace, {&energy, 1});
    gradient = Vector{{x[0], -3.0}};
    return energy;
  }

 private:
  FunctionTarget target_ = leaning();
};

// The energies are right to rounding, 1e-14, and their quotients over steps of 0.02 to 1e-11; the truncated terms are
// of order 1e-11.
TEST(UnboundedTarget, CarriesTheGradient) {
  const LeaningWithGradient target;
  const UnboundedTarget unbounded(target);
  ASSERT_TRUE(unbounded.has_gradient());
  const auto workspace = unbounded.make_workspace();
  const auto total = [&](const Vector& u) { return energies_at(unbounded, u).front().total(); };
  for (const Vector& u : {Vector{{0.3, -1.0}}, Vector{{-2.0, 4.0}}, Vector{{9.0, -7.0}}, Vector{{0.0, 0.0}}}) {
    Vector found;
    const Energy energy = unbounded.energy_and_gradient(u, *workspace, found);
    EXPECT_EQ(energy.start, energies_at(unbounded, u).front().start);
    EXPECT_EQ(energy.tempered, energies_at(unbounded, u).front().tempered);
    EXPECT_LT((found - test::gradient(total, u, 0.02)).cwiseAbs().maxCoeff(), 1e-8) << u.transpose();
    // The mutant: without the Jacobian's part, 2 s - 1, the comparison fails wherever there is one.
    const Vector without = found - Vector((0.5 * u.array()).tanh());
    if (u.isZero()) continue;
    EXPECT_GT((without - test::gradient(total, u, 0.02)).cwiseAbs().maxCoeff(), 0.1) << u.transpose();
  }
}

TEST(UnboundedTarget, HasNoGradientIfItsTargetHasNone) {
  const FunctionTarget target = leaning();
  EXPECT_FALSE(UnboundedTarget(target).has_gradient());
}

TEST(UnboundedTarget, StatesReturnToTheBoxWithTheBoxsEnergies) {
  const FunctionTarget target = leaning();
  const UnboundedTarget unbounded(target);
  Population population;
  population.positions = Matrix{{-30.0, -1.0, 0.5, 50.0}, {2.0, 0.0, -3.0, 700.0}};
  population.energies = energies_at(unbounded, population.positions);
  const Population in_box = unbounded.in_box(population);
  const std::vector<Energy> direct = energies_at(target, in_box.positions);
  for (std::size_t i = 0; i < direct.size(); ++i) {
    ASSERT_TRUE(in_box.energies[i].possible()) << i;
    // The Jacobian, up to 750 here, is added and taken off again: its rounding stays.
    EXPECT_NEAR(in_box.energies[i].start, direct[i].start, 1e-12) << i;
    EXPECT_EQ(in_box.energies[i].tempered, direct[i].tempered) << i;
  }
}

TEST(UnboundedTarget, StartsWhereTheBoxStarts) {
  const FunctionTarget target = leaning();
  const UnboundedTarget unbounded(target);
  for (std::uint64_t i = 0; i < 50; ++i) {
    Stream a({1, Purpose::start_point, 0, i, 0}), b({1, Purpose::start_point, 0, i, 0});
    Population one;
    one.positions = unbounded.draw_start(a);
    one.energies = energies_at(unbounded, one.positions);
    const Vector expected = target.draw_start(b);
    EXPECT_LT((unbounded.in_box(one).positions.col(0) - expected).cwiseAbs().maxCoeff(), 1e-14) << i;
  }
}

}  // namespace
}  // namespace ta2s2
