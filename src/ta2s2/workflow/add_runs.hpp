// More runs for a model that has been fitted: its posterior is the start, the new runs are tempered in (docs/math.md,
// section 12).
#pragma once

#include "ta2s2/settings.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// What the latest update took, of what the fit at the beginning took.
double share_of_evaluations(const RunHistory& history);

// The posterior given all runs, with the settings, scaling and prior constants of the model: in law that of fit_like.
// Error{bad_data} for runs that cannot belong to the model, Error{usage} for a model that has no sample to start from.
MemberRecord add_runs(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                      Execution context);

// The other way to the same law: a fit of all runs from scratch.
MemberRecord fit_all_afresh(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                            Execution context);

// ---- several outputs or models: each is continued by itself, and averages are weighed anew ----

// The new runs of each output, in the model's order. Each fit of the result is, to the bit, what the function of the
// same name above makes of it alone; their tasks are done together. Weights are found as the model's were.
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
