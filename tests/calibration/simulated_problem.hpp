// Hyper-parameters drawn from a prior, and runs of a Gaussian process that has them: a fit under the same prior must
// find them where it says they are.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::calibration {

inline constexpr Index kFewestRuns = 15;
inline constexpr Index kMostRuns = 40;
inline constexpr Index kMostInputs = 3;
inline constexpr Index kNumNewRuns = 3;

struct SimulatedProblem {
  OutputRuns runs;
  OutputRuns new_runs;             // kNumNewRuns at points of their own, drawn jointly with the runs
  std::vector<InputRange> ranges;  // [0, 1] for every input: the scaling must not depend on the data
  Vector z;                        // the truth, with mean 0 and process variance 1
};

// The `index`-th problem of a seed: 1, 2 or 3 inputs, 15 to 40 runs, a design of each kind in turn. The options name
// the prior, the nugget's prior, the boxes and the correlation.
SimulatedProblem simulate_problem(const FitOptions& options, std::uint64_t seed, Index index);

}  // namespace ta2s2::calibration
