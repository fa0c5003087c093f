// Thinning to a hundred draws costs the criterion of next runs what a hundred independent draws would, and no more.
// Everything is seeded.
#include <gtest/gtest.h>

#include <cmath>

#include "long_run.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/predictive/run_criterion.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {
namespace {

constexpr int kDesigns = 5;
constexpr std::uint64_t kReferenceSeed = 4;
constexpr int kThinnings = 40;  // of each fit
const Vector kPlace{{0.9, 0.1}};

Predictive emulator_of_design(int design, Executor& executor) {
  FitOptions options;
  options.output = "y";
  Observer silent;
  const OutputRuns runs = load_runs(
      std::string(TA2S2_SOURCE_DIR) + "/examples/data/franke_train_" + std::to_string(design) + ".csv", {"y", {}});
  return make_predictive(fit(runs, ValidFitOptions(options), {}, {executor, silent}));
}

// What each draw alone would say of a run at the place, by the formula of docs/math.md.
Vector imse_of_each_draw(const Predictive& predictive, Executor& executor) {
  const Matrix reference = make_design({2, kReferencePoints, DesignKind::sobol, kReferenceSeed});
  const auto draws = make_processes(predictive, executor);
  Vector values(predictive.num_draws());
  for (std::size_t j = 0; j < draws.size(); ++j) {
    const DrawProcess::Points place = draws[j]->at(kPlace.transpose());
    const Matrix c = draws[j]->covariance(draws[j]->at(reference), place);
    values[static_cast<Index>(j)] =
        draws[j]->unit_variance() * c.array().square().mean() / (place.c[0] + draws[j]->nugget());
  }
  return values;
}

// Squared errors of the criterion by thinned draws, in units of the variance that the mean of a hundred independent
// draws has; averaged over thinnings.
double mean_squared_error(const Predictive& predictive, Index draws, Executor& executor) {
  const Vector each = imse_of_each_draw(predictive, executor);
  const double mean = predictive.weights().dot(each);
  const double variance = predictive.weights().dot((each.array() - mean).square().matrix());
  double sum = 0.0;
  for (std::uint64_t seed = 1; seed <= kThinnings; ++seed) {
    Stream stream({seed, Purpose::next_runs});
    const Predictive few = predictive.thinned(draws, stream);
    const double value = make_criterion({"imse", 0.0}, few, kReferenceSeed, executor)->values(kPlace.transpose())[0];
    sum += (value - mean) * (value - mean) / (variance / 100.0);
  }
  return sum / kThinnings;
}

// The mean of n squared standard normal errors is 1 with standard error sqrt(2 / n), n = 200 thinnings; 4 of these are
// 0.4. Errors may be smaller, as systematic thinning takes no draw twice. The mutant takes 50 draws: 2 is expected,
// with standard error 0.2, so that it is caught unless it is 3 of these below.
TEST(NextRunsStatistics, AHundredDrawsHaveTheErrorOfAHundred) {
  if (!is_long()) GTEST_SKIP() << "TA2S2_LONG=1 runs it";
  ThreadExecutor executor(0);
  double hundred = 0.0, fifty = 0.0;
  for (int design = 1; design <= kDesigns; ++design) {
    const Predictive predictive = emulator_of_design(design, executor);
    hundred += mean_squared_error(predictive, 100, executor) / kDesigns;
    fifty += mean_squared_error(predictive, 50, executor) / kDesigns;
  }
  RecordProperty("hundred", std::to_string(hundred));
  RecordProperty("fifty", std::to_string(fifty));
  EXPECT_LT(hundred, 1.4);
  EXPECT_GT(fifty, 1.4);
}

}  // namespace
}  // namespace ta2s2
