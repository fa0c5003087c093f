// What a fit will cost, told before it is begun: laws fitted to measured fits (bench/plan), with what one evaluation
// takes on this machine.
#pragma once

#include "ta2s2/compare.hpp"
#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Throws what fit would throw for the same data and settings. Times evaluations of every correlation and number of runs
// for a tenth of a second each way, or one block where that takes longer.
FitPlan plan_fits(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                  const std::vector<InputRange>& ranges, const std::vector<Index>& cores, double timing_seconds = 0.1);

// ---- its parts ----

Range operator+(const Range& a, const Range& b);  // as if both were low, or high, together: too wide, never too narrow
Range operator*(double factor, const Range& range);

// The least number of samples per level that gives `cores` tasks, of all fits together; everything else as in `shapes`.
// 0 if no number of samples does that.
Index samples_for_shapes(std::vector<FitShape> shapes, Index cores);

FitForecast forecast_fit(const FitShape& shape);

// Wall time on so many cores of this machine's speed, without anything that messages between them cost, of fits side by
// side, whose tasks share the cores (exec/run_together.hpp).
struct TimedFit {
  FitShape shape;
  EvaluationTime evaluation;
};
Range forecast_seconds(const std::vector<TimedFit>& fits, Index cores);

// Processor time of one thread, at points drawn as the fit draws its start points. Each way is repeated for about
// `seconds`, but at least one block of it: 0 asks for just that.
EvaluationTime time_evaluation(const TargetDensity& target, std::uint64_t seed, double seconds = 0.4);

// Of fits side by side: each has its states and its matrices, and the program is there once.
MemoryUse operator+(const MemoryUse& a, const MemoryUse& b);

// docs/clusters.md, "Memory"; held against peaks that the system reports by bench/plan/run.
MemoryUse memory_use(const GpTarget& target, const FitOptions& options, double num_levels);

}  // namespace ta2s2
