// More runs for a model file of several outputs or models: each is continued by itself, and averages are weighed anew.
#pragma once

#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// The new runs of each output, in the model's order. Each fit of the result is, to the bit, what the function of the
// same name in add_runs.hpp makes of it alone; their tasks are done together. Weights are found as the model's were.
EmulatorRecord add_runs(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                        const AddRunsOptions& options, Execution context);
EmulatorRecord fit_all_afresh(const EmulatorRecord& model, const std::vector<OutputRuns>& added,
                              const AddRunsOptions& options, Execution context);

// What the new runs gave rise to say, beyond that they were added: a sentence once where all models say it, else with
// the name of the model.
std::vector<std::string> notices_of_update(const EmulatorRecord& before, const EmulatorRecord& after);

// What the update of each model took; nothing of models that were fitted afresh.
std::vector<std::string> summaries_of_update(const EmulatorRecord& after);

}  // namespace ta2s2
