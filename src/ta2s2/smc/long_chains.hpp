// A few long chains on the target itself, without tempering: what plain slice sampling is.
#pragma once

#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

// One chain per group, from a draw of the start density. Warm-up phases double in length, each with all that the kernel
// adapts made from the states of the one before; then everything is fixed, and only what follows is the sample:
// num_samples states of all chains together. A mode that no chain has found is not in it, and there is no evidence.
SamplerResult run_long_chains(const TargetDensity& target, const AnnealOptions& options, Execution context);

}  // namespace ta2s2
