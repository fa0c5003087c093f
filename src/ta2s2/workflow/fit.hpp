// From runs with one or several outputs to their emulators, each by one model or by an average over several.
#pragma once

#include <functional>

#include "ta2s2/workflow/fit_member.hpp"

namespace ta2s2 {

// One model per output, or an average over several, as the options ask. Each is fitted as if it were the only one, to
// the same bits; their tasks are done together. What the record holds of each is what a fit of that output, with these
// inputs and that correlation, would give.
EmulatorRecord fit_model(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                         const std::vector<InputRange>& ranges, Execution context);

// What tells one model of one output from all others: "drag, matern52"; only what there is more than one of.
std::string run_name(const std::string& output, const FitOptions& model, std::size_t num_outputs,
                     std::size_t num_models);

// Calls `task` once for each name, their work done together. The observer is told of all levels, with the names.
void run_by_name(const std::vector<std::string>& names, Execution context,
                 const std::function<void(std::size_t place, Execution own)>& task);

}  // namespace ta2s2
