// The effective sample size that a run reports is the one its posterior means have over seeds, where chains forget
// slowly and levels repeat each other. (An error of a level's plan, which all chains share, it cannot see.)
#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>

#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

constexpr Index kSeeds = 60;

GpTarget franke_target() {
  const OutputRuns data = load_runs(TA2S2_SOURCE_DIR "/examples/data/franke_train_1.csv", {"y", {}});
  return make_target(data, Scaling::from(data), FitOptions{});
}

RecycledSample sample_with(const GpTarget& target, const std::string& kernel, Index seed) {
  AnnealOptions options;
  options.num_samples = 400;
  options.kernel.name = kernel;
  options.seed = static_cast<std::uint64_t>(seed);
  ThreadExecutor one_thread(1);
  Observer silent;
  return recycle(anneal(target, options, {one_thread, silent}));
}

// Every chain a witness of its own, whatever it came from: the mutant.
WeightedPopulation without_lineage(WeightedPopulation states) {
  states.chain_levels.assign(states.chain_levels.size(), 0);
  return states;
}

double weighted_variance(const Vector& values, const Vector& weights) {
  return weights.dot((values.array() - weights.dot(values)).square().matrix());
}

struct Variances {
  Vector actual, reported, without_lineage;  // of the posterior means, by coordinate
};

Variances variances_over_seeds(const std::string& kernel) {
  const GpTarget target = franke_target();
  Matrix means(target.dim(), kSeeds), reported = means, mutant = means;
  ThreadExecutor executor(0);
  executor.map(std::vector<double>(kSeeds, 1.0), [&](Index s, int) {
    const RecycledSample sample = sample_with(target, kernel, s + 1);
    for (Index d = 0; d < target.dim(); ++d) {
      const Vector values = sample.positions.row(d).transpose();
      const double variance = weighted_variance(values, sample.weights);
      means(d, s) = sample.weights.dot(values);
      reported(d, s) = variance / ess_from_chains(values, sample);
      mutant(d, s) = variance / ess_from_chains(values, without_lineage(sample));
    }
    return Payload{};
  });
  const Matrix deviations = means.colwise() - means.rowwise().mean();
  return {deviations.array().square().rowwise().sum() / static_cast<double>(kSeeds - 1), reported.rowwise().mean(),
          mutant.rowwise().mean()};
}

// The variance over seeds is chi-square over its degrees of freedom; three coordinates, 0.1% in all, half on either
// side.
bool are_honest(const Vector& actual, const Vector& reported) {
  const boost::math::chi_squared chi_squared(static_cast<double>(kSeeds - 1));
  const double tail = 0.001 / static_cast<double>(2 * actual.size());
  const auto ratio = actual.array() / reported.array() * static_cast<double>(kSeeds - 1);
  return (ratio > quantile(chi_squared, tail)).all() && (ratio < quantile(complement(chi_squared, tail))).all();
}

TEST(EffectiveSize, OfChainsThatForgetSlowly) {
  const Variances found = variances_over_seeds("random-walk");
  EXPECT_TRUE(are_honest(found.actual, found.reported)) << found.actual.cwiseQuotient(found.reported).transpose();
  EXPECT_FALSE(are_honest(found.actual, found.without_lineage))
      << found.actual.cwiseQuotient(found.without_lineage).transpose();
}

}  // namespace
}  // namespace ta2s2
