// The integral of exp(-H) over the box, by brute force: an evidence that owes nothing to the sampler.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/gp/gp_target.hpp"

namespace ta2s2 {

// log of the integral, by a product of composite Gauss-Legendre rules with `panels` panels of five nodes per
// coordinate.
double log_integral_over_box(const GpTarget& target, Index panels, Executor& executor);

}  // namespace ta2s2
