// What the figures of a reproduction are drawn from, as plain CSV.
#pragma once

#include <filesystem>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Sampling positions, energy and weight, a row per draw; and the maximum, one row without a weight.
void write_draws(const std::filesystem::path& path, const MemberRecord& record);
void write_map(const std::filesystem::path& path, const MemberRecord& record);

// The paper's first figure: H, up to a constant, of the paper's model with the reference prior and the nugget at its
// lower bound, over
// [-7, 7]^2 (an empty cell where there is no density), and draws of a run on it that cools down towards zero.
void write_franke_levels(const std::filesystem::path& path, const OutputRuns& runs, Executor& executor);
void write_franke_modes(const std::filesystem::path& path, const OutputRuns& runs, Index num_samples,
                        std::uint64_t seed, Executor& executor);

}  // namespace ta2s2
