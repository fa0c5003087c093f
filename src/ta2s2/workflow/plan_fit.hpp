// What a fit will cost, told before it is begun.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/workflow/fit_forecast.hpp"
#include "ta2s2/workflow/memory_use.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Throws what fit would throw for the same data and settings. Times evaluations of every correlation and number of runs
// for about a second, or one block where that takes longer.
FitPlan plan_fits(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                 const std::vector<InputRange>& ranges, const std::vector<Index>& cores, double timing_seconds = 0.4);

}  // namespace ta2s2
