// Every exact kernel leaves skewed, two-mode and correlated targets invariant, hot and cold; every mutant is
// caught.
#include <gtest/gtest.h>

#include <numbers>

#include "statistical/exact_targets.hpp"
#include "ta2s2/base/log_math.hpp"

namespace ta2s2 {
namespace {

// Two-sided normal point: P(|z| > critical) = alpha, by bisection on erfc.
double normal_critical(double alpha) {
  double low = 0.0, high = 40.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (std::erfc(middle / std::numbers::sqrt2) > alpha ? low : high) = middle;
  }
  return high;
}

// Bonferroni: all kernels, targets and temperatures together check fewer than 500 means, each is normal to
// good accuracy (20000 independent chains), and the whole family may fail a right kernel with probability
// 0.1%: 4.75 sds.
double critical() {
  return normal_critical(1e-3 / 500.0);
}

std::unique_ptr<MoveKernel> kernel_named(const std::string& name, PublishedOptions published = {}) {
  return make_kernel({name, published});
}

struct TargetCase {
  std::string name;
  std::function<std::unique_ptr<ExactTarget>()> make;
};

std::vector<TargetCase> target_cases() {
  return {{"Skewed1d", [] { return std::make_unique<SkewedTarget>(Vector{{2.0}}); }},
          {"Skewed3d",
           [] {
             return std::make_unique<SkewedTarget>(Vector{{2.0, 3.0, 5.0}});
           }},
          {"TwoModes2d", [] { return std::make_unique<TwoModeTarget>(); }},
          {"Correlated6d", [] { return std::make_unique<PriorPathGaussian>(); }}};
}

using InvarianceCase = std::tuple<std::string, TargetCase, int>;  // kernel, target, temperature

class Invariance : public testing::TestWithParam<InvarianceCase> {};

TEST_P(Invariance, Holds) {
  const auto& [kernel, target, tau] = GetParam();
  for (const Deviation& deviation :
       deviations_after_moves(*target.make(), *kernel_named(kernel), {.beta = 1.0 / tau})) {
    EXPECT_LT(std::abs(deviation.z), critical()) << deviation;
  }
}

std::vector<std::string> exact_kernels() {
  std::vector<std::string> exact;
  for (const std::string& name : kernel_names()) {
    if (kernel_named(name)->is_exact()) exact.push_back(name);
  }
  return exact;
}

INSTANTIATE_TEST_SUITE_P(Exact, Invariance,
                         testing::Combine(testing::ValuesIn(exact_kernels()), testing::ValuesIn(target_cases()),
                                          testing::Values(1, 5)),
                         [](const auto& instance) {
                           std::string kernel = std::get<0>(instance.param);
                           std::erase(kernel, '-');
                           return kernel + std::get<1>(instance.param).name + "Tau" +
                                  std::to_string(std::get<2>(instance.param));
                         });

TEST(InvarianceHarness, StartsFromExactDraws) {  // no steps of any interest: the harness itself adds no error
  class Stay final : public MoveKernel {
   public:
    std::string name() const override { return "stay"; }
    ChainTask<Step> move(ChainState state, const LevelPlan&, EnergyRequest&, Stream&) const override {
      co_return Step{std::move(state), 0, false};
    }
  };
  for (const TargetCase& target : target_cases()) {
    for (const double tau : {1.0, 5.0}) {
      for (const Deviation& deviation : deviations_after_moves(*target.make(), Stay(), {.beta = 1.0 / tau})) {
        EXPECT_LT(std::abs(deviation.z), critical()) << target.name << ' ' << deviation;
      }
    }
  }
}

// --- Mutants: the harness must catch each one. ---

void expect_caught(const ExactTarget& target, const MoveKernel& kernel, double beta = 1.0) {
  const Deviation worst = largest(deviations_after_moves(target, kernel, {.beta = beta}));
  EXPECT_GT(std::abs(worst.z), critical()) << "not caught; largest deviation " << worst;
}

TEST(Mutant, PublishedKernelAsInTheText) {
  const auto kernel = kernel_named("published");
  EXPECT_FALSE(kernel->is_exact());
  expect_caught(SkewedTarget(Vector{{2.0}}), *kernel);
  expect_caught(SkewedTarget(Vector{{2.0, 3.0, 5.0}}), *kernel);
  expect_caught(TwoModeTarget(), *kernel);
  expect_caught(PriorPathGaussian(), *kernel);
}

TEST(Mutant, PublishedKernelAsInAlgorithm1) {
  const auto kernel = kernel_named("published", {.reading = PublishedOptions::Reading::algorithm1});
  expect_caught(SkewedTarget(Vector{{2.0, 3.0, 5.0}}), *kernel);
  expect_caught(PriorPathGaussian(), *kernel);
}

TEST(Mutant, PublishedKernelWithExponentialPull) {
  const auto kernel = kernel_named("published", {.pull = PublishedOptions::Pull::exponential});
  expect_caught(SkewedTarget(Vector{{2.0, 3.0, 5.0}}), *kernel);
  expect_caught(PriorPathGaussian(), *kernel);
}

// docs/math.md, section 4 measured variances of 0.36 after ten steps in six dimensions: the published kernel is not
// slightly off.
TEST(Mutant, PublishedKernelLosesMostOfTheVarianceInSixDimensions) {
  const auto deviations = deviations_after_moves(PriorPathGaussian(), *kernel_named("published"), {});
  for (const Deviation& deviation : deviations) {
    if (deviation.name == "aa") {
      // A variance that is a share r of the truth is off by (1 - r) / (r sqrt(2 / n)): r = 0.6 gives 67 sds.
      EXPECT_LT(deviation.z, -67.0);
    }
  }
}

// Runs a kernel with another plan or changes what it returns.
class WrongTemperature final : public MoveKernel {
 public:
  explicit WrongTemperature(const std::string& name, double factor) : inner_(kernel_named(name)), factor_(factor) {}
  std::string name() const override { return "wrong temperature"; }
  std::vector<std::string> part_names() const override { return inner_->part_names(); }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    LevelPlan wrong;
    wrong.beta = factor_ * plan.beta;
    wrong.covariance_factor = plan.covariance_factor;
    wrong.mixture = plan.mixture;
    co_return co_await inner_->move(std::move(state), wrong, energy, stream);
  }

 private:
  std::unique_ptr<MoveKernel> inner_;
  double factor_;
};

TEST(Mutant, WrongTemperature) {
  for (const std::string& kernel : exact_kernels()) {
    expect_caught(SkewedTarget(Vector{{2.0}}), WrongTemperature(kernel, 1.1));
    expect_caught(PriorPathGaussian(), WrongTemperature(kernel, 0.9), 0.2);
  }
}

class StaleEnergy final : public MoveKernel {
 public:
  explicit StaleEnergy(const std::string& name) : inner_(kernel_named(name)) {}
  std::string name() const override { return "stale energy"; }
  std::vector<std::string> part_names() const override { return inner_->part_names(); }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const Energy before = state.energy;
    Step step = co_await inner_->move(std::move(state), plan, energy, stream);
    step.state.energy = before;
    co_return step;
  }

 private:
  std::unique_ptr<MoveKernel> inner_;
};

// Its energies never change, so their mean stays exact: the positions give it away.
TEST(Mutant, StaleEnergy) {
  for (const std::string& kernel : exact_kernels()) {
    expect_caught(SkewedTarget(Vector{{2.0, 3.0, 5.0}}), StaleEnergy(kernel));
  }
  expect_caught(TwoModeTarget(), StaleEnergy("exact"));
}

// x' ~ q accepted as if q were symmetric.
class IndependenceWithoutRatio final : public MoveKernel {
 public:
  std::string name() const override { return "independence without q(x) / q(x')"; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const Vector candidate = plan.mixture.draw(stream);
    const Energy found = co_await energy(candidate);
    if (-draw_exponential(stream) < state.energy.at(plan.beta) - found.at(plan.beta)) {
      co_return Step{{candidate, found}, 0, true};
    }
    co_return Step{std::move(state), 0, false};
  }
};

TEST(Mutant, IndependenceMoveWithoutTheProposalRatio) {
  expect_caught(SkewedTarget(Vector{{2.0}}), IndependenceWithoutRatio());
  expect_caught(TwoModeTarget(), IndependenceWithoutRatio());
}

// Elliptical slice sampling on the mixture's first component alone, in one of several versions. (A bracket
// that is never shrunk would be no mutant: it samples the same slice, only by rejection.)
class EllipticalSlice final : public MoveKernel {
 public:
  enum class Version { right, without_q, without_scale };
  explicit EllipticalSlice(Version version) : version_(version) {}
  std::string name() const override { return "elliptical slice"; }

  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override {
    const TComponent component = draw_component(plan.mixture, state.position, stream);
    const double distance = version_ == Version::without_scale ? 0.0 : component.squared_distance(state.position);
    const auto d = static_cast<double>(plan.dim());
    const double variance = 0.5 * (kMixtureFreedom + distance) / draw_gamma(stream, 0.5 * (kMixtureFreedom + d));
    const Vector axis = std::sqrt(variance) * draw_correlated_normals(stream, component.factor);
    const Vector offset = state.position - component.mean;
    const double level = height(state.position, state.energy, plan) - draw_exponential(stream);
    double theta = 2.0 * std::numbers::pi * draw_uniform(stream);
    double low = theta - 2.0 * std::numbers::pi;
    double high = theta;
    while (high - low > 1e-10) {
      const Vector candidate = component.mean + offset * std::cos(theta) + axis * std::sin(theta);
      const Energy found = co_await energy(candidate);
      if (found.possible() && height(candidate, found, plan) > level) co_return Step{{candidate, found}, 0, true};
      (theta < 0.0 ? low : high) = theta;
      theta = low + (high - low) * draw_uniform(stream);
    }
    co_return Step{std::move(state), 0, false};
  }

 private:
  static TComponent draw_component(const ProposalMixture& mixture, const Vector& x, Stream& stream) {
    std::vector<double> terms;
    mixture.log_terms(x, terms);
    const double log_sum = log_sum_exp(terms);
    for (double& term : terms) term = std::exp(term - log_sum);
    return mixture.components()[static_cast<std::size_t>(draw_categorical(stream, terms))];
  }

  double height(const Vector& x, const Energy& energy, const LevelPlan& plan) const {
    const double log_p = -energy.at(plan.beta);
    return version_ == Version::without_q ? log_p : log_p - plan.mixture.log_density(x);
  }

  Version version_;
};

TEST(Mutant, EllipticalSliceItselfIsRight) {  // so that its mutants fail for the reason they are named for
  const EllipticalSlice kernel(EllipticalSlice::Version::right);
  for (const TargetCase& target : target_cases()) {
    const Deviation worst = largest(deviations_after_moves(*target.make(), kernel, {}));
    EXPECT_LT(std::abs(worst.z), critical()) << target.name << ' ' << worst;
  }
}

TEST(Mutant, EllipticalSliceWithoutQ) {
  expect_caught(SkewedTarget(Vector{{2.0}}), EllipticalSlice(EllipticalSlice::Version::without_q));
  expect_caught(PriorPathGaussian(), EllipticalSlice(EllipticalSlice::Version::without_q));
}

TEST(Mutant, EllipticalSliceWithAScaleThatIgnoresTheState) {
  expect_caught(TwoModeTarget(), EllipticalSlice(EllipticalSlice::Version::without_scale));
  expect_caught(PriorPathGaussian(), EllipticalSlice(EllipticalSlice::Version::without_scale));
}

}  // namespace
}  // namespace ta2s2
