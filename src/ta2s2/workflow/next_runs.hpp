// Where to run the simulator next, with what is expected there.
#pragma once

#include "ta2s2/predictive/next_runs.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {

struct NextRunsReport {
  NextRuns runs;
  PredictionSummary predicted;       // a new run at each point, by all draws, before any of them is made
  std::vector<std::string> notices;  // sentences the user should see
};

// As choose_next_runs. Error{usage} that names every problem if options do not fit the emulator.
NextRunsReport next_runs(const Predictive& predictive, const NextRunsOptions& options,
                         const std::optional<Matrix>& candidates, Executor& executor,
                         const PointChosen& on_chosen = nullptr);

}  // namespace ta2s2
