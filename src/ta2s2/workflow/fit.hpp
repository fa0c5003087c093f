// From runs to an emulator.
#pragma once

#include "ta2s2/dataset.hpp"
#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

MemberRecord fit(const OutputRuns& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 Execution context);

// The same with the scaling and the prior's constants of another model of the same columns.
MemberRecord fit_like(const MemberRecord& model, const OutputRuns& data, const ValidFitOptions& options,
                      Execution context);

}  // namespace ta2s2
