// Which inputs matter, as numbers for the command line, Python and other programs: medians, intervals, probabilities.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/predictive/activity.hpp"
#include "ta2s2/predictive/sensitivity.hpp"

namespace ta2s2 {

// Inputs that nobody speaks of are uniform over the emulator's ranges. Error{usage} that names every problem: unknown
// inputs, distributions that are none.
InputDistributions match_inputs(const std::vector<InputStatement>& statements, const std::vector<std::string>& names,
                                const Predictive& predictive);

Sensitivity summarise_sensitivity(SensitivitySample sample, const InputDistributions& inputs,
                                  const std::vector<std::string>& names, const Predictive& predictive,
                                  const Activity& activity);

}  // namespace ta2s2
