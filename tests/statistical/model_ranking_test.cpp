// Which model made the runs: evidences of correlations and trends on runs drawn from a known process. TA2S2_LONG=1
// gives the figures of docs/after_the_fit.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "long_run.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/linalg/decompositions.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/compare_models.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2 {
namespace {

constexpr Index kRuns = 60;
const std::vector<std::string> kGenerating = {"squared-exponential", "matern52", "matern32"};

// A draw of the process with length-scales 0.5 and nugget 1e-8, plus `slope` times the first input.
OutputRuns drawn_runs(const std::string& correlation, std::uint64_t seed, Index num_runs = kRuns, double slope = 0.0) {
  const Matrix X = make_design({.inputs = 2, .runs = num_runs, .seed = seed});
  Matrix K;
  make_covariance(correlation)->fill(X, Vector::Constant(2, 0.25), K);
  K.diagonal().array() += 1e-8;
  EXPECT_EQ(cholesky_in_place(K), CholeskyStatus::ok);
  K.triangularView<Eigen::StrictlyUpper>().setZero();
  Stream stream({.seed = seed, .purpose = Purpose::predictive_draw});
  const Vector y = draw_correlated_normals(stream, K) + slope * X.col(0);
  return OutputRuns(X, y, {"a", "b"}, "y");
}

FitOptions options_of(const std::string& correlation, const std::string& trend = "constant",
                      TrendPrior trend_prior = TrendPrior::flat) {
  FitOptions options;
  options.correlation = correlation;
  options.trend = trend;
  options.trend_prior = trend_prior;
  options.samples = 1000;
  return options;
}

Evidence evidence_of(const OutputRuns& data, const FitOptions& options) {
  ThreadExecutor one_thread(1);
  Observer silent;
  return *fit(data, ValidFitOptions(options), {}, {one_thread, silent}).evidence;
}

// The first of both rankings: among the correlations that make runs here, and among all that there are. The power
// exponential is a rival that made none of them, and with exponent 1.9 hard to tell from Matern 3/2 with 60 runs.
struct Firsts {
  std::string of_generating, of_all;
};

Firsts first_ranked(const OutputRuns& data) {
  Firsts firsts;
  double largest_of_generating = -kInfinity, largest = -kInfinity;
  for (const std::string& correlation : covariance_examples()) {
    const double found = evidence_of(data, options_of(correlation)).log_evidence;
    const bool generates = std::find(kGenerating.begin(), kGenerating.end(), correlation) != kGenerating.end();
    if (generates && found > largest_of_generating) {
      largest_of_generating = found;
      firsts.of_generating = correlation;
    }
    if (found > largest) {
      largest = found;
      firsts.of_all = correlation;
    }
  }
  return firsts;
}

struct NumRight {
  int among_generating = 0, among_all = 0;
};

NumRight count_right(const std::string& correlation, int num_sets, Executor& executor) {
  std::vector<Firsts> firsts(static_cast<std::size_t>(num_sets));
  const auto task = [&](Index set, int) {
    firsts[static_cast<std::size_t>(set)] = first_ranked(drawn_runs(correlation, static_cast<std::uint64_t>(set) + 1));
    return Payload{};
  };
  executor.map(std::vector<double>(firsts.size(), 1.0), task);
  NumRight right;
  for (const Firsts& first : firsts) {
    right.among_generating += first.of_generating == correlation;
    right.among_all += first.of_all == correlation;
  }
  return right;
}

// Three sets each by default: if each is right with probability 0.8, fewer than five of nine are with probability 2%,
// and the seeds are fixed.
TEST(ModelRanking, TheGeneratingCorrelationComesFirst) {
  const int num_sets = is_long() ? 50 : 3;
  ThreadExecutor executor(0);
  int right = 0;
  for (const std::string& correlation : kGenerating) {
    const NumRight found = count_right(correlation, num_sets, executor);
    std::cout << correlation << ": first of three " << found.among_generating << ", of all " << found.among_all
              << " of " << num_sets << '\n';
    right += found.among_generating;
    EXPECT_GE(found.among_generating, is_long() ? 40 : 0) << correlation;
  }
  EXPECT_GE(right, is_long() ? 120 : 5);
}

struct Repeats {
  double spread = 0.0;    // variance of the log evidence between seeds
  double reported = 0.0;  // mean of the squared standard errors
};

Repeats repeat(const std::string& correlation, int num_seeds, Executor& executor) {
  const OutputRuns data = drawn_runs("matern52", 1);
  Vector values(num_seeds), squares(num_seeds);
  const auto task = [&](Index seed, int) {
    FitOptions options = options_of(correlation);
    options.annealing.seed = 100 + static_cast<std::uint64_t>(seed);
    const Evidence evidence = evidence_of(data, options);
    values[seed] = evidence.log_evidence;
    squares[seed] = evidence.standard_error * evidence.standard_error;
    return Payload{};
  };
  executor.map(std::vector<double>(static_cast<std::size_t>(num_seeds), 1.0), task);
  return {(values.array() - values.mean()).square().sum() / (num_seeds - 1), squares.mean()};
}

// The variance between 20 seeds is that of 19 degrees of freedom: at most 2.3 times the true one in 99.9% of cases; 100
// seeds: 1.5. Reported errors hold half the difference of two passes too and are somewhat large, never small, so that
// there is no lower bound, and the mutant reports a third of them (ratio 9).
TEST(ModelRanking, ErrorsOfTheEvidenceAreHonest) {
  const int num_seeds = is_long() ? 100 : 20;
  const double high = is_long() ? 1.5 : 2.3;
  ThreadExecutor executor(0);
  for (const std::string& correlation : is_long() ? kGenerating : std::vector<std::string>{"matern52"}) {
    const Repeats found = repeat(correlation, num_seeds, executor);
    const double ratio = found.spread / found.reported;
    std::cout << correlation << ": spread " << std::sqrt(found.spread) << ", reported " << std::sqrt(found.reported)
              << ", variance of z-scores " << ratio << '\n';
    EXPECT_LT(ratio, high) << correlation;
    EXPECT_GT(9.0 * ratio, high) << "the mutant with errors of a third of the size";
  }
}

double log_bayes_factor_of_slope(const OutputRuns& data, TrendPrior trend_prior,
                                 const std::string& prior = kDefaultPrior) {
  const auto log_evidence = [&](const char* trend) {
    FitOptions options = options_of("matern52", trend, trend_prior);
    apply_settings(options, {{"sampler", "annealed"}, {"prior", prior}});
    return evidence_of(data, options).log_evidence;
  };
  return log_evidence("linear") - log_evidence("constant");
}

OutputRuns in_units(const OutputRuns& data, double unit) {
  return OutputRuns(data.inputs(), unit * data.output(), data.input_names(), data.output_name());
}

// A Bayes factor has no unit. The mutant, flat coefficients, has one for each of them: which trend is the best would
// depend on whether the output is in metres or in millimetres. Rounding that differs by the unit changes no decision of
// the annealed sampler with these seeds. Every level carries it further: hence not the default prior, whose wider box
// has more of them.
TEST(ModelRanking, TrendsCompareWhateverTheUnit) {
  const OutputRuns metres = drawn_runs("matern52", 3, 25);
  const OutputRuns millimetres = in_units(metres, 1000.0);
  const auto factor = [](const OutputRuns& data, TrendPrior trend_prior) {
    return log_bayes_factor_of_slope(data, trend_prior, "jointly-robust");
  };
  const double proper = factor(metres, TrendPrior::unit_information);
  EXPECT_NEAR(factor(millimetres, TrendPrior::unit_information), proper, 1e-6);
  const double flat = factor(metres, TrendPrior::flat);
  EXPECT_NEAR(factor(millimetres, TrendPrior::flat), flat + 2.0 * std::log(1000.0), 1e-6);
}

// Runs without a slope and runs with a large one, five sets of each.
TEST(ModelRanking, TheGeneratingTrendComesFirst) {
  constexpr double kSlope = 30.0;
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    right += log_bayes_factor_of_slope(drawn_runs("matern52", seed, 25), TrendPrior::unit_information) < 0.0;
    right += log_bayes_factor_of_slope(drawn_runs("matern52", seed, 25, kSlope), TrendPrior::unit_information) > 0.0;
  }
  // If each is right with probability 0.9, fewer than seven are with probability 1.3%; the seeds are fixed.
  EXPECT_GE(right, 7);
}

}  // namespace
}  // namespace ta2s2
