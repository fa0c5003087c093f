// From runs with one or several outputs to their emulators.
#pragma once

#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// One model per output, or an average over several, as the options ask. Each is fitted as if it were the only one, to
// the same bits; their tasks are done together. What the record holds of each is what a fit of that output, with these
// inputs and that correlation, would give.
EmulatorRecord fit_model(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                         const std::vector<InputRange>& ranges, Execution context);

}  // namespace ta2s2
