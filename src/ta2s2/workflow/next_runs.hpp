// Where to run the simulator next, with what is expected there.
#pragma once

#include "ta2s2/predictive/next_runs.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {

// As choose_next_runs. Error{usage} that names every problem if options do not fit the emulator.
NextRuns next_runs(const Predictive& predictive, const NextRunsOptions& options,
                   const std::optional<Matrix>& candidates, Executor& executor, const PointChosen& on_chosen = nullptr);

}  // namespace ta2s2
