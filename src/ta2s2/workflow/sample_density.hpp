// Draws from any density over a box, without a Gaussian process.
#pragma once

#include "ta2s2/workflow/describe_result.hpp"

namespace ta2s2 {

// The sampler's settings of `options` by tempered levels; those of the model mean nothing here. The target has a box,
// and its evidence is the integral over it.
Sample sample_density(const TargetDensity& target, const ValidFitOptions& options, Execution context);

}  // namespace ta2s2
