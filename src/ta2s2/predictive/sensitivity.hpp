// Sobol indices and main effects as the posterior knows them: of the hyper-parameters and of the function itself
// (docs/math.md, section 11).
#pragma once

#include <functional>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/sensitivity.hpp"

namespace ta2s2 {

// Called with the number of paths that are done, in any order of paths.
using PathsDone = std::function<void(Index)>;

// Indices of the latent function, without the nugget: of the user's output, g^-1 of the process. Inputs are independent, each with its distribution.
SensitivitySample analyse_sensitivity(const Predictive& predictive, const InputDistributions& inputs,
                                      const SensitivityOptions& options, Executor& executor,
                                      const PathsDone& on_done = nullptr);

// Uniform over the emulator's ranges.
InputDistributions uniform_inputs(const Predictive& predictive);

}  // namespace ta2s2
