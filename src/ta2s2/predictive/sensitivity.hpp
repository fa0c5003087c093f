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

// An input is inert, to a function, if its total effect is less than this share of the variance: knowing all other
// inputs would leave no more of it.
inline constexpr double kInertShare = 0.01;

// Indices of the latent function, without the nugget, in the user's units: of g^-1 of the process if outputs are
// transformed by g. Inputs are independent, each with its distribution.
SensitivitySample analyse_sensitivity(const Predictive& predictive, const InputDistributions& inputs,
                                      const SensitivityOptions& options, Executor& executor,
                                      const PathsDone& on_done = nullptr);

// Uniform over the emulator's ranges; log-uniform where the scale of the input is log.
InputDistributions uniform_inputs(const Predictive& predictive);

}  // namespace ta2s2
