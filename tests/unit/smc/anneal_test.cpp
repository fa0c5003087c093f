#include "ta2s2/smc/anneal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {
namespace {

// Seeds are fixed; a band of five standard errors would fail a right sampler once in 1.7 million checks.
constexpr double kSds = 5.0;

class RecordingObserver : public Observer {
 public:
  explicit RecordingObserver(Index stop_at = -1) : stop_at_(stop_at) {}
  Verdict on_level(const LevelSummary& report) override {
    levels.push_back(report.level);
    return report.level == stop_at_ ? Verdict::stop : Verdict::go_on;
  }
  std::vector<Index> levels;

 private:
  Index stop_at_;
};

AnnealResult run(const TargetDensity& target, const AnnealOptions& options) {
  ThreadExecutor executor(2);
  Observer observer;
  return anneal(target, options, {executor, observer});
}

// log of N(x; m, diag(s^2)), not normalised, times `scale`.
const Vector kMean{{1.0, -0.5}};
const Vector kSd{{0.3, 0.8}};
double log_gaussian(VectorView x) {
  return -0.5 * ((x - kMean).array() / kSd.array()).square().sum();
}
double gaussian_log_evidence() {
  return std::log(2.0 * std::numbers::pi * kSd.prod());
}

FunctionTarget gaussian_target(double added = 0.0) {
  const auto log_density = [added](VectorView x) { return added + log_gaussian(x); };
  return FunctionTarget(log_density, Vector::Constant(2, -8.0), Vector::Constant(2, 8.0));
}

AnnealOptions small_run() {
  AnnealOptions options;
  options.num_samples = 1000;
  return options;
}

struct Estimate {
  double value, standard_error;
};

// Chains are independent given the plan, states of a chain are not: the error comes from the spread of chain
// means.
Estimate estimate(const Population& population, const std::function<double(VectorView)>& f) {
  std::vector<double> chain_means;
  for (Index c = 0; c < population.num_chains(); ++c) {
    const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
    const Index end = population.chain_begin[static_cast<std::size_t>(c) + 1];
    double sum = 0.0;
    for (Index i = begin; i < end; ++i) sum += f(population.positions.col(i));
    chain_means.push_back(sum / static_cast<double>(end - begin));
  }
  const auto m = static_cast<double>(chain_means.size());
  double mean = 0.0, squares = 0.0;
  for (const double x : chain_means) mean += x / m;
  for (const double x : chain_means) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / (m * (m - 1.0)))};
}

class AnnealKernels : public testing::TestWithParam<std::string> {};

TEST_P(AnnealKernels, FindsTheEvidenceAndMomentsOfAGaussian) {
  AnnealOptions options = small_run();
  options.num_samples = 4000;
  options.kernel.name = GetParam();
  const AnnealResult result = run(gaussian_target(), options);
  EXPECT_NEAR(result.log_evidence, gaussian_log_evidence(), kSds * result.log_evidence_error);
  EXPECT_LT(result.log_evidence_error, 0.15);
  for (Index d = 0; d < 2; ++d) {
    const Estimate mean = estimate(result.final(), [d](VectorView x) { return x[d]; });
    EXPECT_NEAR(mean.value, kMean[d], kSds * mean.standard_error);
    const Estimate variance = estimate(result.final(), [d](VectorView x) { return std::pow(x[d] - kMean[d], 2); });
    EXPECT_NEAR(variance.value, kSd[d] * kSd[d], kSds * variance.standard_error);
    EXPECT_LT(variance.standard_error, 0.1 * kSd[d] * kSd[d]);
  }
}

INSTANTIATE_TEST_SUITE_P(Exact, AnnealKernels, testing::Values("exact", "neal", "random-walk"));

// p_0 = N(0, 1), likelihood exp(-(x - 3)^2 / (2 s^2)): evidence s / sqrt(1 + s^2) exp(-9 / (2 (1 + s^2))).
// Here E0 is not constant: weights that used the whole energy, or moves that tempered it, would miss.
class PriorPathTarget final : public TargetDensity {
 public:
  static constexpr double kNoise = 0.1;
  Index dim() const override { return 1; }
  std::vector<std::string> names() const override { return {"x"}; }
  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    for (Index i = 0; i < points.cols(); ++i) {
      const double x = points(0, i);
      const double e0 = 0.5 * x * x + 0.5 * std::log(2.0 * std::numbers::pi);
      out[static_cast<std::size_t>(i)] = {e0, 0.5 * std::pow((x - 3.0) / kNoise, 2), Impossible::no};
    }
  }
  Vector draw_start(Stream& stream) const override { return draw_normals(stream, 1); }
};

TEST(Anneal, TempersOnlyTheLikelihoodOnThePriorPath) {
  AnnealOptions options = small_run();
  options.num_samples = 4000;
  const AnnealResult result = run(PriorPathTarget(), options);
  const double s2 = PriorPathTarget::kNoise * PriorPathTarget::kNoise;
  const double expected = 0.5 * std::log(s2 / (1.0 + s2)) - 4.5 / (1.0 + s2);
  EXPECT_NEAR(result.log_evidence, expected, kSds * result.log_evidence_error);
  const Estimate mean = estimate(result.final(), [](VectorView x) { return x[0]; });
  EXPECT_NEAR(mean.value, 3.0 / (1.0 + s2), kSds * mean.standard_error);
}

TEST(Anneal, LevelsGoFromTheStartToTheTarget) {
  const AnnealResult result = run(gaussian_target(), small_run());
  ASSERT_GE(result.levels.size(), 3u);
  ASSERT_EQ(result.levels.size(), result.populations.size());
  EXPECT_EQ(result.levels.front().beta, 0.0);
  EXPECT_EQ(result.levels.back().beta, 1.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < result.levels.size(); ++k) {
    const LevelSummary& level = result.levels[k];
    EXPECT_EQ(level.level, static_cast<Index>(k));
    EXPECT_GT(level.beta, k == 0 ? -1.0 : result.levels[k - 1].beta);
    if (k > 0 && level.beta < 1.0) {  // (4.14), to the bisection's 1e-10; the last level may keep more
      EXPECT_NEAR(level.effective_sample_size, 0.5 * static_cast<double>(result.levels[k - 1].num_states), 1e-3);
    }
    EXPECT_EQ(level.num_states, result.populations[k]->size());
    EXPECT_EQ(level.num_chains, result.populations[k]->num_chains());
    sum += level.log_mean_weight;
  }
  EXPECT_GE(result.levels.back().effective_sample_size, 500.0 - 1e-3);
  EXPECT_DOUBLE_EQ(result.log_evidence, sum);
}

// Walks of three short steps, far from forgetting their start.
AnnealOptions slow_run(std::uint64_t seed) {
  AnnealOptions options;
  options.num_samples = 600;
  options.chain_length = 3;
  options.kernel.name = "random-walk";
  options.seed = seed;
  return options;
}

double variance_of_independent_levels(const AnnealResult& result) {
  double variance = 0.0;
  for (const LevelSummary& level : result.levels) variance += std::pow(level.log_mean_weight_error, 2);
  return variance;
}

// The mean square of 40 errors lies between 0.422 and 1.901 times their variance (chi-square with 40 degrees of
// freedom, 0.05% on either side). Levels taken as independent, the mutant, have too little.
TEST(Anneal, ReportsTheErrorOfTheEvidenceWhenChainsForgetSlowly) {
  constexpr int kSeeds = 40;
  double actual = 0.0, reported = 0.0, of_independent_levels = 0.0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const AnnealResult result = run(gaussian_target(), slow_run(static_cast<std::uint64_t>(seed)));
    actual += std::pow(result.log_evidence - gaussian_log_evidence(), 2) / kSeeds;
    reported += std::pow(result.log_evidence_error, 2) / kSeeds;
    of_independent_levels += variance_of_independent_levels(result) / kSeeds;
  }
  const auto is_honest = [&](double variance) { return actual > 0.422 * variance && actual < 1.901 * variance; };
  EXPECT_TRUE(is_honest(reported)) << actual << ' ' << reported;
  EXPECT_FALSE(is_honest(of_independent_levels)) << actual << ' ' << of_independent_levels;
}

TEST(Anneal, EveryEvaluationIsCountedOnceAndByReason) {
  std::atomic<std::int64_t> calls{0};
  const FunctionTarget target(
      [&calls](VectorView x) {
        ++calls;
        return log_gaussian(x);
      },
      Vector::Constant(2, -8.0), Vector::Constant(2, 8.0));
  const AnnealResult result = run(target, small_run());
  std::int64_t inside = 0;
  for (const LevelSummary& level : result.levels) {
    std::int64_t by_reason = 0;
    for (const std::int64_t count : level.impossible) by_reason += count;
    EXPECT_EQ(by_reason, level.evaluations);
    inside += level.impossible[static_cast<std::size_t>(Impossible::no)];
  }
  EXPECT_EQ(inside, calls.load());
  EXPECT_GE(result.evaluations(), inside);
}

TEST(Anneal, APopulationCarriesTheEnergiesOfItsPositions) {
  const FunctionTarget target = gaussian_target();
  const auto workspace = target.make_workspace();
  for (const auto& population : run(target, small_run()).populations) {
    std::vector<Energy> fresh(static_cast<std::size_t>(population->size()));
    target.energies(population->positions, *workspace, fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      // The change of coordinates adds its Jacobian, below 50 in size here, and takes it off again: a rounding stays.
      ASSERT_NEAR(population->energies[i].start, fresh[i].start, 50.0 * 4.0 * 2.3e-16);
      ASSERT_EQ(population->energies[i].tempered, fresh[i].tempered);
      ASSERT_EQ(population->energies[i].reason, fresh[i].reason);
    }
  }
}

// The authors' code needs "L + 400"; here a constant moves the log evidence by itself and the sample not at
// all (to the rounding of energies near 1000, which may flip no decision of this seed).
TEST(Anneal, AConstantAddedToTheLogDensityOnlyShiftsTheEvidence) {
  const AnnealResult plain = run(gaussian_target(), small_run());
  for (const double added : {1024.0, -1024.0}) {
    const AnnealResult shifted = run(gaussian_target(added), small_run());
    EXPECT_NEAR(shifted.log_evidence, plain.log_evidence + added, 1e-6);
    EXPECT_EQ(shifted.levels.size(), plain.levels.size());
    EXPECT_TRUE(shifted.final().positions.isApprox(plain.final().positions, 1e-6));
  }
}

TEST(Anneal, ImpossibleStartPointsCountInTheEvidence) {
  // The density lives on a half of the box and is NaN on the other: a uniform of height one there has
  // evidence 1/2.
  const FunctionTarget target([](VectorView x) { return x[0] < 0.5 ? 0.0 : std::numeric_limits<double>::quiet_NaN(); },
                              Vector{{0.0}}, Vector{{1.0}});
  const AnnealResult result = run(target, small_run());
  ASSERT_EQ(result.levels.size(), 2u);
  EXPECT_NEAR(result.log_evidence, std::log(0.5), kSds * result.log_evidence_error);
  // 1000 tosses of a coin: sd of the log of their mean is 1 / sqrt(1000).
  EXPECT_NEAR(result.log_evidence_error, 1.0 / std::sqrt(1000.0), 0.1 / std::sqrt(1000.0));
  for (const Energy& energy : result.final().energies) EXPECT_TRUE(energy.possible());
}

TEST(Anneal, RefusesATargetWithoutAPossiblePoint) {
  const FunctionTarget target([](VectorView) { return -kInfinity; }, Vector{{0.0}}, Vector{{1.0}});
  try {
    run(target, small_run());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_data);
    EXPECT_THAT(error.what(), testing::HasSubstr("none of the 1000 start points"));
  }
}

TEST(Anneal, RefusesAnUnknownKernelAndNamesTheKnownOnes) {
  AnnealOptions options;
  options.kernel.name = "gibbs";
  try {
    run(gaussian_target(), options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("gibbs"));
    for (const std::string& name : move_names()) EXPECT_THAT(error.what(), testing::HasSubstr(name));
  }
}

TEST(Anneal, TmcmcGrowthKeepsExactlyNStates) {
  AnnealOptions options = small_run();
  options.growth = Growth::tmcmc;
  const AnnealResult result = run(gaussian_target(), options);
  for (const LevelSummary& level : result.levels) EXPECT_EQ(level.num_states, 1000);
}

// Rastrigin's function: a global minimum at 0 among about a hundred local ones in the box.
double minus_rastrigin(VectorView x) {
  return -(20.0 + (x.array().square() - 10.0 * (2.0 * std::numbers::pi * x.array()).cos()).sum());
}

TEST(AnnealToZero, FindsTheGlobalOptimumAmongManyLocalOnes) {
  const FunctionTarget target(minus_rastrigin, Vector::Constant(2, -5.12), Vector::Constant(2, 5.12));
  AnnealOptions options = small_run();
  const AnnealResult to_one = run(target, options);
  options.anneal_to_zero = true;
  const AnnealResult to_zero = run(target, options);

  const auto best = std::min_element(to_zero.final().energies.begin(), to_zero.final().energies.end(),
                                     [](const Energy& a, const Energy& b) { return a.total() < b.total(); });
  const Vector x = to_zero.final().positions.col(best - to_zero.final().energies.begin());
  // The second-best minima lie at distance 1 and have H near 1. Curvature at 0 is 2 + 40 pi^2 = 397: with
  // sd(H) at most a tenth of that at beta = 1, states sit within about sqrt(2 * 0.1 / 397) of it, and the
  // best one closer.
  EXPECT_LT(x.norm(), 0.02);
  EXPECT_GT(to_zero.levels.back().beta, 1.0);
  EXPECT_LE(to_zero.levels.back().sd_energy, 0.1 * to_one.levels.back().sd_energy);
  // Levels beyond beta = 1 are no part of the evidence.
  EXPECT_EQ(to_zero.log_evidence, to_one.log_evidence);
  EXPECT_EQ(to_zero.log_evidence_error, to_one.log_evidence_error);
}

TEST(AnnealToZero, OfAFlatFunctionEnds) {
  const FunctionTarget target([](VectorView) { return 3.0; }, Vector{{0.0}}, Vector{{1.0}});
  AnnealOptions options = small_run();
  options.anneal_to_zero = true;
  EXPECT_EQ(run(target, options).levels.size(), 2u);
}

TEST(Anneal, TellsTheObserverOfEveryLevelAndIsNotChangedByIt) {
  const AnnealResult unobserved = run(gaussian_target(), small_run());
  ThreadExecutor executor(2);
  RecordingObserver observer;
  const AnnealResult observed = anneal(gaussian_target(), small_run(), {executor, observer});
  ASSERT_EQ(observer.levels.size(), observed.levels.size());
  for (std::size_t k = 0; k < observer.levels.size(); ++k) EXPECT_EQ(observer.levels[k], static_cast<Index>(k));
  EXPECT_EQ(observed.final().positions, unobserved.final().positions);
}

ErrorCode code_of_failure(const TargetDensity& target, Executor& executor, Observer& observer) {
  try {
    anneal(target, small_run(), {executor, observer});
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "the run was not stopped";
  return ErrorCode::internal;
}

TEST(Anneal, AnObserverThatStopsEndsTheRunAsInterrupted) {
  for (const Index level : {0, 2}) {
    ThreadExecutor executor(2);
    RecordingObserver observer(level);
    EXPECT_EQ(code_of_failure(gaussian_target(), executor, observer), ErrorCode::interrupted);
    EXPECT_EQ(observer.levels.back(), level);
  }
}

TEST(Anneal, AStopFlagEndsTheRunAsInterruptedAndSoon) {
  for (const std::int64_t stop_after : {0, 10, 1500}) {  // before, during level 0, during level 1
    StopFlag stop{stop_after == 0};
    std::atomic<std::int64_t> calls{0};
    const FunctionTarget target(
        [&](VectorView x) {
          if (++calls == stop_after) stop = true;
          return log_gaussian(x);
        },
        Vector::Constant(2, -8.0), Vector::Constant(2, 8.0));
    ThreadExecutor executor(2, &stop);
    Observer observer;
    EXPECT_EQ(code_of_failure(target, executor, observer), ErrorCode::interrupted);
    // Each of the two workers finishes at most the group of 8 blocks of 4 start points it is in.
    EXPECT_LE(calls.load(), stop_after + 2 * 32);
  }
}

TEST(Anneal, AnErrorInTheTargetReachesTheCaller) {
  for (const int fail_at : {5, 1500}) {
    std::atomic<int> calls{0};
    const FunctionTarget target(
        [&](VectorView x) {
          if (++calls == fail_at) throw std::overflow_error("user code");
          return log_gaussian(x);
        },
        Vector::Constant(2, -8.0), Vector::Constant(2, 8.0));
    EXPECT_THROW(run(target, small_run()), std::overflow_error);
  }
}

}  // namespace
}  // namespace ta2s2
