#include "ta2s2/workflow/next_runs.hpp"

#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {
namespace {

void check(const Predictive& predictive, const NextRunsOptions& options, const std::optional<Matrix>& candidates) {
  std::string problems;
  const auto expect = [&](bool holds, const std::string& sentence) {
    if (!holds) problems += (problems.empty() ? "" : "; ") + sentence;
  };
  expect(options.count >= 1, "found a count of " + std::to_string(options.count) + ", expected at least 1");
  expect(options.draws >= 1, "found " + std::to_string(options.draws) + " draws, expected at least 1");
  expect(options.map_size == 0 || predictive.num_inputs() <= 2,
         "found " + std::to_string(predictive.num_inputs()) +
             " inputs, expected one or two for a picture of the criterion");
  expect(!candidates || candidates->rows() >= options.count,
         "found " + std::to_string(candidates ? candidates->rows() : 0) + " candidates, expected at least " +
             std::to_string(options.count));
  if (!problems.empty()) throw Error(ErrorCode::usage, "next-runs: " + problems);
}

Index num_outside(const Matrix& unit_points) {
  return ((unit_points.array() < 0.0) || (unit_points.array() > 1.0)).rowwise().any().count();
}

// How many standard deviations the predicted mean is away from the level where it is nearest in that sense.
double distance_to_level(const Predictive& predictive, double level, Executor& executor) {
  constexpr Index kPointsToLook = 256;
  const Matrix unit = make_design({predictive.num_inputs(), kPointsToLook, DesignKind::sobol, 1});
  const PredictionSummary there =
      summarise(predictive, predictive.scaling().to_user(unit), Predict::latent, {}, executor);
  return ((there.mean.array() - level).abs() / there.sd.array()).minCoeff();
}

std::vector<std::string> notices_of(const Predictive& predictive, const NextRunsOptions& options, const NextRuns& runs,
                                    const std::optional<Matrix>& candidates, Executor& executor) {
  std::vector<std::string> notices;
  const Index outside = candidates ? num_outside(predictive.scaling().to_unit(*candidates)) : 0;
  if (outside > 0) {
    notices.push_back(std::to_string(outside) + " of " + std::to_string(candidates->rows()) +
                      " candidates lie outside the ranges of the runs, where the emulator extrapolates");
  }
  if (runs.draws < std::min(options.draws, predictive.num_draws())) {
    notices.push_back("the criterion was averaged over " + std::to_string(runs.draws) + " draws instead of " +
                      std::to_string(options.draws) + ", to spare memory with " +
                      std::to_string(predictive.num_runs()) + " runs");
  }
  constexpr double kFar = 5.0;
  if (options.criterion.name == "boundary" && distance_to_level(predictive, options.criterion.level, executor) > kFar) {
    notices.push_back("the output is nowhere expected to be " + format_number(options.criterion.level) +
                      ": points are near where it comes closest");
  }
  return notices;
}

}  // namespace

NextRuns next_runs(const Predictive& predictive, const NextRunsOptions& options,
                   const std::optional<Matrix>& candidates, Executor& executor, const PointChosen& on_chosen) {
  check(predictive, options, candidates);
  NextRuns runs = choose_next_runs(predictive, options, candidates, executor, on_chosen);
  PredictionSummary predicted = summarise(predictive, runs.points, Predict::new_run, {}, executor);
  runs.mean = std::move(predicted.mean);
  runs.sd = std::move(predicted.sd);
  runs.notices = notices_of(predictive, options, runs, candidates, executor);
  return runs;
}

}  // namespace ta2s2
