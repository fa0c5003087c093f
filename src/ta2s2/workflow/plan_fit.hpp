// What a fit will cost, told before it is begun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/dataset.hpp"
#include "ta2s2/data/input_range.hpp"
#include "ta2s2/workflow/fit_forecast.hpp"
#include "ta2s2/workflow/memory_use.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct WallTime {
  Index cores = 1;
  Range seconds;
};

// What the samplers' laws tell.
struct ExpectedWork {
  FitShape shape;
  int num_fits = 1;  // of all outputs and models, each twice with --check
  FitForecast forecast;
  std::vector<WallTime> times;  // in the order in which they were asked for
};

struct FitPlan {
  Index num_runs = 0, num_inputs = 0, dim = 0, lanes = 1;
  EvaluationTime evaluation;
  MemoryUse memory;
  // Nothing where no law was fitted to these settings; then `unknown` says so in a sentence.
  std::optional<ExpectedWork> work;
  std::string unknown;
  std::vector<std::string> notices;  // as fit's
};

// Throws what fit would throw for the same data and settings. Times evaluations for about a second, or one block where
// that takes longer. Other outputs are expected to cost as much as this one.
FitPlan plan_fit(const Dataset& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 const std::vector<Index>& cores, int num_outputs = 1, double timing_seconds = 0.4);

}  // namespace ta2s2
