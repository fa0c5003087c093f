// More runs for a model that has been fitted: its posterior is the start, the new runs are tempered in (docs/math.md,
// section 12).
#pragma once

#include <cstdint>
#include <optional>

#include "ta2s2/settings.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Runs farther outside the range that the model is scaled by, in units of its width, are refused.
inline constexpr double kFarthestOutside = 1.0;

// What the latest update took, of what the fit at the beginning took.
double share_of_evaluations(const RunHistory& history);

// The model's runs and then the new ones.
OutputRuns join_runs(const OutputRuns& known, const OutputRuns& added);

// The posterior given all runs, with the settings, scaling and prior constants of the model: in law that of fit_like.
// Error{bad_data} for runs that cannot belong to the model, Error{usage} for a model that has no sample to start from.
MemberRecord add_runs(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                      Execution context);

// The other way to the same law: a fit of all runs from scratch.
MemberRecord fit_all_afresh(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options,
                            Execution context);

// What both ways to a model of all runs begin with: Error{bad_data} for runs of other columns, far outside the model's
// ranges, or in contradiction to others; else sentences about runs somewhat outside.
std::vector<std::string> check_added_runs(const MemberRecord& model, const OutputRuns& added);

}  // namespace ta2s2
