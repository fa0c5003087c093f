// How much work a fit will be, before it is done: laws fitted to measured fits (bench/plan). Numbers only; what one
// evaluation takes on this machine is the caller's to measure.
#pragma once

#include <vector>

#include "ta2s2/compare.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/time_evaluation.hpp"

namespace ta2s2 {

Range operator+(const Range& a, const Range& b);  // as if both were low, or high, together: too wide, never too narrow
Range operator*(double factor, const Range& range);

// The least number of samples per level that gives `cores` tasks, of all fits together; everything else as in `shapes`.
Index samples_for_shapes(std::vector<FitShape> shapes, Index cores);

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
