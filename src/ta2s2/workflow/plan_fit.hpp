// What a fit will cost, told before it is begun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/input_range.hpp"
#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/workflow/fit_forecast.hpp"
#include "ta2s2/workflow/memory_use.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct WallTime {
  Index cores = 1;
  Range seconds;
};

// One of the fits that are done side by side: an output by a model.
struct PlannedModel {
  std::string name;  // what `fit` calls it; empty if it is the only one
  std::string correlation;
  Index num_runs = 0, num_inputs = 0, dim = 0, lanes = 1;
  FitShape shape;
  EvaluationTime evaluation;
};

// What the samplers' laws tell.
struct ExpectedWork {
  int num_rounds = 1;                  // each model is fitted so often: twice with --check, once more for the constant
                                       // of a prior that has none, where evidences weigh models
  std::vector<FitForecast> forecasts;  // of each model, one round of it
  Index num_tasks = 0;                 // of all models' levels; more cores than this have nothing to do
  std::vector<WallTime> times;         // of all; in the order in which they were asked for
};

struct FitPlan {
  std::vector<PlannedModel> models;
  MemoryUse memory;  // of all
  // Nothing where no law was fitted to these settings; then `unknown` says so in a sentence.
  std::optional<ExpectedWork> work;
  std::string unknown;
  std::vector<std::string> notices;  // as fit's
};

// Throws what fit would throw for the same data and settings. Times evaluations of every correlation and number of runs
// for about a second, or one block where that takes longer.
FitPlan plan_fit(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                 const std::vector<InputRange>& ranges, const std::vector<Index>& cores, double timing_seconds = 0.4);

}  // namespace ta2s2
