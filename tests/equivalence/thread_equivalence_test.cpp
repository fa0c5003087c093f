// The same seed gives the same bits on 1, 2 and 7 threads, whatever the kernel and the growth: every state,
// every energy, every number of every level report apart from its time.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <tuple>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {
namespace {

// Two crescents, with a strip between them that has no density.
double log_density(VectorView x) {
  if (std::abs(x[0]) < 0.2) return -kInfinity;
  return -0.5 * std::pow((x[1] - 0.3 * x[0] * x[0]) / 0.4, 2) - std::pow(std::abs(x[0]) - 1.5, 2);
}

AnnealResult run(const std::string& kernel, Growth growth, int num_threads) {
  const FunctionTarget target(log_density, Vector::Constant(2, -6.0), Vector::Constant(2, 6.0));
  AnnealOptions options;
  options.num_samples = 403;  // fills neither chains nor blocks evenly
  options.kernel.name = kernel;
  options.growth = growth;
  options.seed = 12;
  ThreadExecutor executor(num_threads);
  Observer observer;
  return anneal(target, options, {executor, observer});
}

// Equal as bits, so that -0.0 differs from 0.0 and a NaN equals itself.
void expect_same_bits(double a, double b, const char* what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b)) << what << ": " << a << " and " << b;
}

void expect_same(const Population& a, const Population& b) {
  ASSERT_EQ(a.chain_begin, b.chain_begin);
  ASSERT_EQ(a.positions.size(), b.positions.size());
  for (Index i = 0; i < a.positions.size(); ++i)
    expect_same_bits(a.positions.data()[i], b.positions.data()[i], "position");
  for (std::size_t i = 0; i < a.energies.size(); ++i) {
    expect_same_bits(a.energies[i].start, b.energies[i].start, "start energy");
    expect_same_bits(a.energies[i].tempered, b.energies[i].tempered, "tempered energy");
    EXPECT_EQ(a.energies[i].reason, b.energies[i].reason);
  }
}

void expect_same(const PartTally& a, const PartTally& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.moved, b.moved);
  EXPECT_EQ(a.evaluations, b.evaluations);
  expect_same_bits(a.squared_jump, b.squared_jump, "squared jump");
}

void expect_same(const LevelSummary& a, const LevelSummary& b) {
  EXPECT_EQ(a.level, b.level);
  expect_same_bits(a.beta, b.beta, "beta");
  expect_same_bits(a.effective_sample_size, b.effective_sample_size, "ESS");
  expect_same_bits(a.log_mean_weight, b.log_mean_weight, "log mean weight");
  expect_same_bits(a.log_mean_weight_error, b.log_mean_weight_error, "its error");
  expect_same_bits(a.walk_scale, b.walk_scale, "walk scale");
  EXPECT_EQ(a.mixture_components, b.mixture_components);
  EXPECT_EQ(a.num_chains, b.num_chains);
  EXPECT_EQ(a.num_states, b.num_states);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.impossible, b.impossible);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) expect_same(a.parts[p], b.parts[p]);
  expect_same_bits(a.mean_energy, b.mean_energy, "mean energy");
  expect_same_bits(a.sd_energy, b.sd_energy, "sd of energy");
}

void expect_same(const AnnealResult& a, const AnnealResult& b) {
  expect_same_bits(a.log_evidence, b.log_evidence, "log evidence");
  expect_same_bits(a.log_evidence_error, b.log_evidence_error, "its error");
  ASSERT_EQ(a.levels.size(), b.levels.size());
  for (std::size_t k = 0; k < a.levels.size(); ++k) {
    expect_same(a.levels[k], b.levels[k]);
    expect_same(*a.populations[k], *b.populations[k]);
  }
}

class ThreadEquivalence : public testing::TestWithParam<std::tuple<std::string, Growth>> {};

TEST_P(ThreadEquivalence, NumberOfThreadsChangesNoBit) {
  const auto& [kernel, growth] = GetParam();
  const AnnealResult one = run(kernel, growth, 1);
  for (const int num_threads : {2, 7}) {
    SCOPED_TRACE(num_threads);
    const AnnealResult several = run(kernel, growth, num_threads);
    expect_same(one, several);
    ThreadExecutor threads(num_threads);
    expect_same_bits(recycle(one).log_evidence, recycle(several, &threads).log_evidence, "recycled log evidence");
  }
}

INSTANTIATE_TEST_SUITE_P(All, ThreadEquivalence,
                         testing::Combine(testing::ValuesIn(move_names()),
                                          testing::Values(Growth::equal, Growth::tmcmc)),
                         [](const auto& instance) {
                           std::string kernel = std::get<0>(instance.param);
                           std::erase(kernel, '-');
                           return kernel + (std::get<1>(instance.param) == Growth::equal ? "Equal" : "Tmcmc");
                         });

TEST(ThreadEquivalenceMutant, AnotherSeedIsSeen) {  // the comparison can fail
  const FunctionTarget target(log_density, Vector::Constant(2, -6.0), Vector::Constant(2, 6.0));
  ThreadExecutor executor(2);
  Observer observer;
  AnnealOptions options;
  options.num_samples = 403;
  options.seed = 13;
  const AnnealResult other = anneal(target, options, {executor, observer});
  EXPECT_NE(other.log_evidence, run("exact", Growth::equal, 2).log_evidence);
}

}  // namespace
}  // namespace ta2s2
