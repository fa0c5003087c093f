// From runs with one or several outputs to their emulators.
#pragma once

#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/model_record.hpp"

namespace ta2s2 {

// Each output is fitted as if it were the only one, to the same bits; their tasks are done together. What the record
// holds of an output among several is what a fit of that output with these inputs would give.
ModelRecord fit_model(const std::vector<Dataset>& outputs, const ValidFitOptions& options,
                      const std::vector<InputRange>& ranges, RunContext context);

}  // namespace ta2s2
