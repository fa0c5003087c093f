// The no-U-turn transition at a fixed step and metric leaves its target invariant, and seeded bugs are caught.
#include <gtest/gtest.h>

#include "invariance/invariance.hpp"
#include "ta2s2/smc/nuts.hpp"
#include "targets/numerical_gradient.hpp"
#include "targets/target_catalogue.hpp"

namespace ta2s2 {
namespace {

// The second half step goes the wrong way: no longer the inverse of a step backwards.
class WrongHalfStep final : public Hamiltonian {
 public:
  using Hamiltonian::Hamiltonian;
  void leapfrog(PhasePoint& point, double step) override {
    kick(point, 0.5 * step);
    drift(point, step);
    evaluate(point);
    kick(point, -0.5 * step);
  }
};

// States of a trajectory are weighed by their potential energy alone.
class ForgottenMomentum final : public Hamiltonian {
 public:
  using Hamiltonian::Hamiltonian;
  double total(const PhasePoint& point) const override { return point.energy.total(); }
};

// The potential energy is weighed as if the temperature were another.
class WrongTemperature final : public Hamiltonian {
 public:
  using Hamiltonian::Hamiltonian;
  double total(const PhasePoint& point) const override {
    return 1.1 * point.energy.total() + 0.5 * point.momentum.squaredNorm();
  }
};

// As a kernel of the harness: the metric is that of the markers, the step fixed.
template <typename Motion>
class NutsMove final : public Move {
 public:
  explicit NutsMove(const TargetDensity& target) : target_(target) {}
  std::string name() const override { return "nuts"; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest&, Stream& stream) const override {
    const auto workspace = target_.make_workspace();
    Motion motion(target_, *workspace, plan.covariance_factor);
    PhasePoint point = motion.at(state.position);
    nuts_transition(motion, {.step = 0.6, .max_doublings = 6}, point, stream);
    co_return Step{{point.position, point.energy}, 0, point.position != state.position};
  }

 private:
  NumericalGradient target_;
};

template <typename Motion>
InvarianceReport check(const std::string& name) {
  const auto target = make_named_target(name);
  return check_invariance(*target, NutsMove<Motion>(*target), {.num_chains = 4000, .num_steps = 5});
}

const std::vector<std::string> kTargets = {"Skewed_d1",   "Skewed_d6",     "Banana_d2",     "Banana_d6",
                                           "TwoModes_d2", "ThreeModes_d3", "HeavyTails_d3", "PriorPath_d6"};
// Bonferroni: together they fail a right transition with a probability of at most 0.1%.
const double kAlpha = 1e-3 / static_cast<double>(kTargets.size());

class NutsOn : public testing::TestWithParam<std::string> {};

TEST_P(NutsOn, IsInvariant) {
  const InvarianceReport report = check<Hamiltonian>(GetParam());
  EXPECT_GT(report.verdict(), kAlpha) << report;
}

INSTANTIATE_TEST_SUITE_P(Targets, NutsOn, testing::ValuesIn(kTargets),
                         [](const auto& instance) { return instance.param; });

template <typename Motion>
void expect_caught(const std::string& target) {
  const InvarianceReport report = check<Motion>(target);
  EXPECT_LT(report.verdict(), kAlpha) << "not caught: " << report;
}

TEST(NutsMutant, WrongHalfStepIsCaughtInBanana_d6) {
  expect_caught<WrongHalfStep>("Banana_d6");
}

TEST(NutsMutant, ForgottenMomentumIsCaughtInSkewed_d6) {
  expect_caught<ForgottenMomentum>("Skewed_d6");
}

TEST(NutsMutant, WrongTemperatureIsCaughtInSkewed_d6) {
  expect_caught<WrongTemperature>("Skewed_d6");
}

}  // namespace
}  // namespace ta2s2
