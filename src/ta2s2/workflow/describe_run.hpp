// What a sampler's run says of its target: the sample, its health and the modes. The same of every sampler and any
// target.
#pragma once

#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// `offset` is added to the energies of draws and modes. The target has a box. Error{interrupted} if the executor is
// told to stop.
Sample describe_run(SamplerResult run, const TargetDensity& target, double offset, std::uint64_t seed,
                             Executor& executor);

}  // namespace ta2s2
