// Whole runs of the sampler `ta2s2` over many seeds find the evidence, moments, quantiles and mode weights that are
// known, of posteriors of Gaussian processes and of densities in closed form; runs of another posterior are caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "long_run.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "targets/numerical_gradient.hpp"
#include "whole_run/bias.hpp"

namespace ta2s2::whole_run {
namespace {

constexpr Index kSeedsOfPasses = 20;
// At most 20 problems, and 0.1% for all of them by Bonferroni; within a problem critical_value() divides once more.
constexpr double kLevelOfPasses = 1e-3 / 20.0;

std::vector<Bias> biases_of_passes(const Problem& problem, const PassOptions& options = {}) {
  ThreadExecutor executor(0);
  const Study study = run_seeds(problem, options, kSeedsOfPasses, executor);
  const auto num_comparisons = static_cast<Index>(study.quantities.size());
  const double critical = critical_value(kSeedsOfPasses, num_comparisons, kLevelOfPasses);
  std::vector<Bias> found;
  for (const Bias& bias : biases(study, study.final_errors)) {
    if (std::abs(bias.in_standard_errors()) > critical) found.push_back(bias);
  }
  return found;
}

std::string described(const std::vector<Bias>& all) {
  std::string text;
  for (const Bias& bias : all) {
    text += bias.quantity.name + ": " + std::to_string(bias.bias) + ", " + std::to_string(bias.in_standard_errors()) +
            " standard errors\n";
  }
  return text;
}

// The same density with differences for a gradient, where it has none of its own.
struct WithGradient {
  explicit WithGradient(Problem found) : problem(std::move(found)) {
    const auto* own = dynamic_cast<const DifferentiableTarget*>(problem.sampled.get());
    if (own != nullptr && own->has_gradient()) return;
    inner = problem.sampled;
    problem.sampled = std::make_shared<const NumericalGradient>(*inner);
  }
  std::shared_ptr<const TargetDensity> inner;
  Problem problem;
};

class PassesOf : public testing::TestWithParam<std::string> {};

// One of each kind, that does not take long.
bool is_quick(const std::string& name) {
  return name == "Franke_d2_design1_log-uniform" || (!name.starts_with("Franke") && !name.ends_with("d10")) ||
         name == "TwoModes_d10";
}

TEST_P(PassesOf, FindTheTruth) {
  if (!is_long() && !is_quick(GetParam())) GTEST_SKIP() << "TA2S2_LONG=1 runs it";
  const WithGradient with(make_problem(GetParam()));
  const std::vector<Bias> wrong = biases_of_passes(with.problem);
  EXPECT_TRUE(wrong.empty()) << described(wrong);
}

std::vector<std::string> all_problems() {
  std::vector<std::string> names;
  for (const NamedProblem& problem : problems()) names.push_back(problem.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Problems, PassesOf, testing::ValuesIn(all_problems()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Values alone.
TEST(PassesWithoutGradient, FindTheTruth) {
  const Problem problem = make_problem("Border_d2");
  ASSERT_EQ(dynamic_cast<const DifferentiableTarget*>(problem.sampled.get()), nullptr);
  const std::vector<Bias> wrong = biases_of_passes(problem);
  EXPECT_TRUE(wrong.empty()) << described(wrong);
}

// The mutant: another prior moves the posterior, and the comparison sees it.
TEST(PassesMutant, AnotherPosteriorIsCaught) {
  Problem problem = make_problem("Franke_d2_design1_log-uniform");
  problem.sampled = make_problem("Franke_d2_design1_jointly-robust").sampled;
  EXPECT_FALSE(biases_of_passes(problem).empty());
}

// A small bias is seen: a density that is 3% colder.
TEST(PassesMutant, AColderDensityIsCaughtInSkewed_d1) {
  struct Colder final : TargetDensity {
    explicit Colder(std::shared_ptr<const TargetDensity> of) : inner(std::move(of)) {}
    Index dim() const override { return inner->dim(); }
    std::vector<std::string> names() const override { return inner->names(); }
    const Box* box() const override { return inner->box(); }
    void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
      inner->energies(points, workspace, out);
      for (Energy& energy : out) {
        if (energy.possible()) energy.tempered = 1.03 * energy.total() - energy.start;
      }
    }
    std::shared_ptr<const TargetDensity> inner;
  };
  Problem problem = make_problem("Skewed_d1");
  problem.sampled = std::make_shared<const Colder>(problem.sampled);
  EXPECT_FALSE(biases_of_passes(problem).empty());
}

}  // namespace
}  // namespace ta2s2::whole_run
