// A hundred draws are enough to choose the next run by: the point they choose is worth nearly as much, by all draws, as
// the best. Everything is seeded.
#include <gtest/gtest.h>

#include <algorithm>

#include "ta2s2/data/design.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/emulator/box_search.hpp"
#include "ta2s2/emulator/next_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {
namespace {

constexpr int kDesigns = 5;
constexpr std::uint64_t kReferenceSeed = 4;
constexpr int kThinnings = 4;  // of each fit

Emulator emulator_of_design(int design, Executor& executor) {
  FitOptions options;
  options.output = "y";
  Observer silent;
  const Dataset runs = load_runs(
      std::string(TA2S2_SOURCE_DIR) + "/examples/data/franke_train_" + std::to_string(design) + ".csv", {"y", {}});
  return make_emulator(fit(runs, ValidFitOptions(options), {}, {executor, silent}));
}

Vector imse_at(const Emulator& emulator, const Matrix& points, Executor& executor) {
  return criterion_at(*make_criterion({"imse", 0.0}, emulator, kReferenceSeed, executor), points, executor);
}

// By all draws, what the points that few draws choose are worth relative to the best: the least over thinnings.
double least_share(const Emulator& emulator, const Vector& by_all, const Matrix& points, Index draws,
                   Executor& executor) {
  double least = 1.0;
  for (std::uint64_t seed = 1; seed <= kThinnings; ++seed) {
    Stream stream({seed, Purpose::next_runs});
    Index chosen = 0;
    imse_at(emulator.thinned(draws, stream), points, executor).maxCoeff(&chosen);
    least = std::min(least, by_all[chosen] / by_all.maxCoeff());
  }
  return least;
}

// Asked for: a point worth at least 98% of the best, for every design and thinning. With a hundred draws the least is
// 0.999 (all is seeded, so that it does not scatter). The mutant chooses by two draws: their error is seven times that
// of a hundred, and its least is 0.91.
TEST(NextRunsStatistics, AHundredDrawsChooseAsAllDo) {
  ThreadExecutor executor(0);
  const Matrix points = make_design({2, 128, DesignKind::sobol, 3});
  double hundred = 1.0, two = 1.0;
  for (int design = 1; design <= kDesigns; ++design) {
    const Emulator emulator = emulator_of_design(design, executor);
    const Vector by_all = imse_at(emulator, points, executor);
    hundred = std::min(hundred, least_share(emulator, by_all, points, 100, executor));
    two = std::min(two, least_share(emulator, by_all, points, 2, executor));
  }
  RecordProperty("hundred", std::to_string(hundred));
  RecordProperty("two", std::to_string(two));
  EXPECT_GT(hundred, 0.98);
  EXPECT_LT(two, 0.98);
}

}  // namespace
}  // namespace ta2s2
