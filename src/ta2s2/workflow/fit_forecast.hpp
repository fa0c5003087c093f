// How much work a fit will be, before it is done: laws fitted to measured fits (bench/plan). Numbers only; what one
// evaluation takes on this machine is the caller's to measure.
#pragma once

#include <vector>

#include "ta2s2/types.hpp"
#include "ta2s2/workflow/time_evaluation.hpp"

namespace ta2s2 {

// Nine fits in ten are expected between low and high.
struct Range {
  double low = 0.0, expected = 0.0, high = 0.0;
};
Range operator+(const Range& a, const Range& b);  // as if both were low, or high, together: too wide, never too narrow
Range operator*(double factor, const Range& range);

// What a forecast depends on, of an annealed fit with the exact kernel and chains of equal length.
struct FitShape {
  Index num_runs = 0;
  Index dim = 0;  // sampling coordinates
  Index num_samples = 0;
  Index num_groups = 1;
  Index given_chain_length = 0;  // 0: by dimension and number of samples
  Index lanes = 1;
  double ess_target = 0.5;

  Index chain_length() const;
  Index num_chains() const;  // per level
  Index num_tasks() const;   // per level; more cores than this have nothing to do
};

// The least number of samples per level that gives `cores` tasks, of all fits together; everything else as in `shapes`.
Index samples_for_cores(std::vector<FitShape> shapes, Index cores);

struct FitForecast {
  Range levels;            // beyond level 0
  Range evaluations;       // of all levels
  Range mode_evaluations;  // of the search for modes after them, one after another
};
FitForecast forecast_fit(const FitShape& shape);

// Wall time on so many cores of this machine's speed, without anything that messages between them cost.
Range forecast_seconds(const FitShape& shape, const EvaluationTime& evaluation, Index cores);

// The same of fits side by side, whose tasks share the cores (exec/run_together.hpp).
struct TimedFit {
  FitShape shape;
  EvaluationTime evaluation;
};
Range forecast_seconds(const std::vector<TimedFit>& fits, Index cores);

}  // namespace ta2s2
