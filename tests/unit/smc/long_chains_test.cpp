#include "ta2s2/smc/sampler_result.hpp"

#include <gtest/gtest.h>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "unit/smc/over_seeds.hpp"

namespace ta2s2 {
namespace {

// Independent normals, means 1 and -2, sds 0.3 and 0.5, in a box that is 130 sds wide: nearly all starts are far away.
const Vector kMeans{{1.0, -2.0}}, kSds{{0.3, 0.5}};

FunctionTarget narrow_target() {
  return FunctionTarget([](VectorView z) { return -0.5 * ((z - kMeans).array() / kSds.array()).square().sum(); },
                        Vector::Constant(2, -20.0), Vector::Constant(2, 20.0));
}

AnnealOptions options_of(const std::string& kernel, std::uint64_t seed) {
  AnnealOptions options;
  options.kernel.name = kernel;
  options.num_samples = 1000;
  options.seed = seed;
  return options;
}

SamplerResult run(const std::string& kernel, std::uint64_t seed, int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  return run_long_chains(narrow_target(), options_of(kernel, seed), {executor, silent});
}

// The mutant: chains as long, and all of their states, without a warm-up.
Matrix states_from_the_start(const std::string& kernel_name, std::uint64_t seed) {
  ThreadExecutor executor(2);
  const AnnealOptions options = options_of(kernel_name, seed);
  const FunctionTarget target = narrow_target();
  const auto kernel = make_move(options.kernel);
  auto starts = std::make_shared<const Population>(draw_start_points(target, 256, seed, executor, 4).population);
  const LogWeights equal(std::vector<double>(256, 0.0));
  LevelPlan plan = plan_level({1, 1.0, 1.0}, starts, equal, *kernel, options);
  plan.chains = {{0, 64, 128, 192}, {250, 250, 250, 250}, {0, 1, 2, 3, 4}};
  return grow_chains(target, *kernel, plan, seed, executor).population.positions;
}

// Mean and mean square about the true mean, of each coordinate.
std::vector<double> moments_of(const Matrix& positions) {
  std::vector<double> moments;
  for (Index d = 0; d < 2; ++d) {
    const Eigen::ArrayXd offsets = positions.row(d).array() - kMeans[d];
    moments.push_back(offsets.mean());
    moments.push_back(offsets.square().mean());
  }
  return moments;
}

// Largest error of the four moments over 20 seeds.
template <typename States>
double worst_error(const States& states_of) {
  std::vector<std::vector<double>> found(4);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<double> moments = moments_of(states_of(seed));
    for (std::size_t k = 0; k < 4; ++k) found[k].push_back(moments[k]);
  }
  const std::vector<double> truths = {0.0, kSds[0] * kSds[0], 0.0, kSds[1] * kSds[1]};
  double worst = 0.0;
  for (std::size_t k = 0; k < 4; ++k) worst = std::max(worst, test::error_in_standard_errors(found[k], truths[k]));
  return worst;
}

// Eight moments of two kernels: 0.1% for all leaves 1.25e-4 for each, and P(|t_19| > 4.8) = 1.2e-4.
constexpr double kCriticalOfLongChains = 4.8;

TEST(LongChains, FindKnownMoments) {
  for (const std::string kernel : {"neal", "elliptical"}) {
    EXPECT_LT(worst_error([&](std::uint64_t seed) { return run(kernel, seed).states.positions; }),
              kCriticalOfLongChains)
        << kernel;
  }
}

TEST(LongChains, WithoutWarmUpTheyDoNot) {
  for (const std::string kernel : {"neal", "elliptical"}) {
    EXPECT_GT(worst_error([&](std::uint64_t seed) { return states_from_the_start(kernel, seed); }),
              kCriticalOfLongChains)
        << kernel;
  }
}

TEST(LongChains, GroupsAreChainsAndBatchesTellTheirWorth) {
  const SamplerResult found = run("neal", 1);
  EXPECT_FALSE(found.evidence.has_value());
  EXPECT_EQ(found.num_draws, 1000);
  EXPECT_EQ(found.states.size(), 1000);
  ASSERT_EQ(found.states.num_groups(), 4);
  for (Index g = 0; g < 4; ++g) EXPECT_EQ(found.states.first_state_of_group(g), 250 * g);
  EXPECT_EQ(found.states.num_chains(), 4 * 6);  // cbrt(250) = 6.3
  EXPECT_NEAR(found.states.weights.sum(), 1.0, 1e-12);
  for (std::size_t i = 0; i < found.levels.size(); ++i) {
    EXPECT_EQ(found.levels[i].beta, 1.0);
    EXPECT_EQ(found.levels[i].levels_left, static_cast<Index>(found.levels.size() - i) - 1);
    EXPECT_EQ(found.levels[i].log_mean_weight, 0.0);
  }
}

TEST(LongChains, ThreadsChangeNoBit) {
  for (const std::string kernel : {"neal", "elliptical"}) {
    EXPECT_EQ(run(kernel, 3, 1).states.positions, run(kernel, 3, 5).states.positions) << kernel;
  }
}

TEST(LongChains, AnObserverCanStopThem) {
  class Impatient final : public Observer {
    Verdict on_level(const LevelSummary& report) override { return report.level < 2 ? Verdict::go_on : Verdict::stop; }
  } observer;
  ThreadExecutor executor(1);
  EXPECT_THROW(run_long_chains(narrow_target(), options_of("neal", 1), {executor, observer}), Error);
}

TEST(LongChains, NoDensityAnywhereIsSaid) {
  const FunctionTarget nowhere([](VectorView) { return -kInfinity; }, Vector::Zero(1), Vector::Ones(1));
  ThreadExecutor executor(1);
  Observer silent;
  EXPECT_THROW(run_long_chains(nowhere, options_of("neal", 1), {executor, silent}), Error);
}

}  // namespace
}  // namespace ta2s2
