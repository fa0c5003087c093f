// Default settings on the paper's three problems: intervals cover what they say, and the posterior predicts no worse
// than the plug-in MAP. Everything is seeded; bench/accuracy/run prints the figures.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "long_run.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {
namespace {

constexpr std::size_t k95 = 3;  // of kCoverageLevels

struct Outcome {
  double coverage, crps, map_crps;
  double coverage_with_half_scales;  // the mutant: an emulator that claims half the uncertainty
};

double coverage_with_half_scales(const Predictive& predictive, const OutputRuns& test, Executor& executor) {
  MixtureBlock block = predictive.mixtures(test.inputs(), Predict::new_run, executor);
  block.scales *= 0.5;
  ScoreAccumulator scores;
  for (Index i = 0; i < test.num_runs(); ++i) scores.add(block.at(i), test.output()[i]);
  return scores.result().coverage[k95];
}

Outcome fit_and_validate(const std::string& train_path, const std::string& test_path, const std::string& output) {
  FitOptions options;
  options.output = output;
  ThreadExecutor executor(0);
  Observer silent;
  const OutputRuns train = load_runs(train_path, {output, {}});
  const MemberRecord record = fit(train, ValidFitOptions(options), {}, {executor, silent});
  const OutputRuns test = load_test_runs(test_path, train.input_names(), output);
  const Predictive predictive = make_predictive(record);
  const Scores scores = validate(predictive, test, executor);
  const Scores map = validate(make_plug_in(record), test, executor);
  return {scores.coverage[k95], scores.crps, map.crps, coverage_with_half_scales(predictive, test, executor)};
}

std::vector<Outcome> over_designs(const std::string& problem, const std::string& output) {
  const std::string stem = std::string(TA2S2_SOURCE_DIR) + "/examples/data/" + problem;
  std::vector<Outcome> outcomes;
  for (int design = 1; design <= 5; ++design) {
    const std::string train = stem + "_train_" + std::to_string(design) + ".csv";
    outcomes.push_back(fit_and_validate(train, stem + "_test.csv", output));
  }
  return outcomes;
}

template <typename Get>
double mean_of(const std::vector<Outcome>& outcomes, Get get) {
  double sum = 0.0;
  for (const Outcome& outcome : outcomes) sum += get(outcome);
  return sum / static_cast<double>(outcomes.size());
}

void expect_honest_and_no_worse_than_map(const std::vector<Outcome>& outcomes) {
  const double coverage = mean_of(outcomes, [](const Outcome& o) { return o.coverage; });
  EXPECT_GE(coverage, 0.90);
  EXPECT_LE(coverage, 0.99);
  EXPECT_LT(mean_of(outcomes, [](const Outcome& o) { return o.coverage_with_half_scales; }), 0.90);

  // Paired over designs, whose spread is far larger than that of seeds.
  const double mean = mean_of(outcomes, [](const Outcome& o) { return o.crps - o.map_crps; });
  const double variance = mean_of(outcomes, [&](const Outcome& o) { return std::pow(o.crps - o.map_crps - mean, 2); });
  const double standard_error = std::sqrt(variance / static_cast<double>(outcomes.size() - 1));
  EXPECT_LE(mean, 2.0 * standard_error);
}

TEST(DefaultAccuracy, Franke) {
  expect_honest_and_no_worse_than_map(over_designs("franke", "y"));
}

TEST(DefaultAccuracy, WingWeight) {
  if (!is_long()) GTEST_SKIP() << "TA2S2_LONG=1 runs it";
  expect_honest_and_no_worse_than_map(over_designs("wing_weight", "weight"));
}

TEST(DefaultAccuracy, NilsonKuusk) {
  const char* data = std::getenv("TA2S2_DATA");
  const std::filesystem::path folder = std::filesystem::path(data == nullptr ? "" : data) / "nilson_kuusk";
  if (!std::filesystem::exists(folder / "train.csv")) {
    GTEST_SKIP() << "TA2S2_DATA/nilson_kuusk is absent (README, Documentation)";
  }
  const Outcome outcome = fit_and_validate(folder / "train.csv", folder / "test.csv", "reflectance");
  // One design: 150 test runs, so an honest 95% interval covers 0.95 with a binomial sd of 0.018; three of them.
  EXPECT_GE(outcome.coverage, 0.95 - 3.0 * 0.018);
  EXPECT_LT(outcome.coverage_with_half_scales, 0.95 - 3.0 * 0.018);
  EXPECT_LE(outcome.crps, outcome.map_crps);
}

}  // namespace
}  // namespace ta2s2
