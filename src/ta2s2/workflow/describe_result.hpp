// What a sampler's result says of its target: the sample, its health and the modes. The same of every sampler and any
// target.
#pragma once

#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// `offset` is added to the energies of draws and modes. The target has a box. Error{interrupted} if the executor is
// told to stop.
Sample describe_result(SamplerResult run, const TargetDensity& target, double offset, std::uint64_t seed,
                       Executor& executor);

// ---- its parts: how well each coordinate was sampled, and each mode's weight in each group of chains ----

// `states` are all that the sample was taken from: one level's, or every level's with their weights.
std::vector<CoordinateDiagnostics> diagnose_coordinates(const WeightedPopulation& states,
                                                        const std::vector<std::string>& names, const Box& box,
                                                        Executor* executor = nullptr);

// A sample of fewer draws knows less than the states it was thinned from: the variance of its mean is larger by what
// the draws that are left lack of all, in Kish's measure.
void count_thinning(std::vector<CoordinateDiagnostics>& diagnostics, const Vector& all_weights, const Vector& kept);

// The partition's modes with their weights in all states and by group, and the effective size of these weights.
std::vector<Mode> weigh_by_group(const ModePartition& partition, const WeightedPopulation& states,
                                 Executor* executor = nullptr);

}  // namespace ta2s2
