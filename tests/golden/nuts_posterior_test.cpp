// The no-U-turn sampler on the golden posterior: Franke's function, 20 runs, against dense quadrature. Only under the
// model's exponent, where each design's posterior has one mode: the sampler does not jump between modes.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_file.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/nuts.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

using golden::Json;

// One estimate from each chain. Chains are independent, so the mean of 20 of them minus the truth, in standard errors
// from their scatter, is Student t with 19 degrees of freedom, whatever a chain's effective size. 3 designs with 8
// statistics each at 0.1% for all by Bonferroni leave 4e-5 for one, and P(|t_19| > 5.3) = 4e-5.
constexpr Index kNumChains = 20;
constexpr double kCritical = 5.3;

GpTarget golden_target(const Json& design, const std::string& nugget = "fixed(1e-6)") {
  FitOptions options;
  apply_settings(
      options,
      {{"correlation", "squared-exponential"}, {"trend", "none"}, {"nugget", nugget}, {"prior", "log-uniform"}});
  const Dataset data = load_runs(golden::source_path(design.at("csv")), {"y", {}});
  return make_target(data, Scaling::from(data), options);
}

NutsResult sample(const DifferentiableTarget& target, Index num_chains) {
  ThreadExecutor executor(0);
  Observer silent;
  return run_nuts(target, {.num_samples = 500 * num_chains, .num_chains = num_chains, .num_warmup = 500},
                  {executor, silent});
}

// In standard errors: how far the mean over chains of their means of f is from the truth.
template <typename Function>
double deviation(const Population& states, double truth, const Function& f) {
  Eigen::ArrayXd means = Eigen::ArrayXd::Zero(states.num_chains());
  for (Index i = 0; i < states.size(); ++i) means[states.chain_of(i)] += f(i);
  means *= static_cast<double>(states.num_chains()) / static_cast<double>(states.size());
  const auto n = static_cast<double>(means.size());
  const double squares = (means - means.mean()).square().sum();
  return std::abs(means.mean() - truth) / std::sqrt(squares / (n - 1.0) / n);
}

// Means, variances about the true mean, and shares below the true quartiles.
double worst_deviation(const Population& states, const Json& truth) {
  double worst = 0.0;
  for (Index d = 0; d < 2; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const double mean = truth.at("mean").at(at), sd = truth.at("sd").at(at);
    const auto value = [&](Index i) { return states.positions(d, i); };
    worst = std::max(worst, deviation(states, mean, value));
    worst = std::max(worst, deviation(states, sd * sd, [&](Index i) { return std::pow(value(i) - mean, 2); }));
    for (const auto& [column, level] : {std::pair{2, 0.25}, std::pair{4, 0.75}}) {
      const double quantile = truth.at("quantiles").at(at).at(static_cast<std::size_t>(column));
      worst = std::max(worst, deviation(states, level, [&](Index i) { return value(i) < quantile ? 1.0 : 0.0; }));
    }
  }
  return worst;
}

class NutsPosterior : public testing::TestWithParam<std::size_t> {
 protected:
  const Json document = golden::load("franke_posterior.json");
  const Json design = document.at("designs").at(GetParam());
  const Json truth = design.at("posteriors").at("model");
};

TEST_P(NutsPosterior, AgreesWithQuadrature) {
  ASSERT_EQ(document.at("quantile_levels").at(2), 0.25);
  ASSERT_EQ(document.at("quantile_levels").at(4), 0.75);
  const NutsResult result = sample(golden_target(design), kNumChains);
  EXPECT_LT(worst_deviation(result.population, truth), kCritical);
  for (Index c = 0; c < kNumChains; ++c) {
    const NutsChain& chain = result.chains[static_cast<std::size_t>(c)];
    std::printf("chain %ld step %.3f acceptance %.3f divergences %ld longest %ld gradients %ld + %ld\n", long(c),
                chain.step, chain.acceptance, long(chain.divergences), long(chain.longest),
                long(chain.warmup_gradients), long(chain.gradients));
  }
}

// The mutant: another nugget moves the posterior by less than its sd, and the comparison sees it.
TEST_P(NutsPosterior, AnotherNuggetIsNoticed) {
  const NutsResult result = sample(golden_target(design, "fixed(1e-3)"), kNumChains);
  EXPECT_GT(worst_deviation(result.population, truth), kCritical);
}

INSTANTIATE_TEST_SUITE_P(Designs, NutsPosterior, testing::Values(0, 1, 2),
                         [](const auto& instance) { return "Design" + std::to_string(instance.param + 1); });

}  // namespace
}  // namespace ta2s2
