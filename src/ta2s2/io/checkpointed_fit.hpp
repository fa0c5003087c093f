// A fit that can be ended at any moment and goes on from where it was, to the same bits.
#pragma once

#include "ta2s2/io/checkpoint_file.hpp"
#include "ta2s2/workflow/fit_model.hpp"

namespace ta2s2 {

// Goes on from the checkpoint if it is there, and starts otherwise; saves to it on the way. The caller removes it once what
// the fit returned is safe. Error{bad_file} if it belongs to a fit of other runs or with other settings. If it is
// interrupted, Error{resumable}.
EmulatorRecord fit_with_checkpoints(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                                    const std::vector<InputRange>& ranges, Execution context,
                                    const Checkpoint& checkpoint);

}  // namespace ta2s2
