// What the emulator would have said of each of its own runs, had that run been left out (docs/math.md, section 6).
#pragma once

#include <vector>

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

// The predictive of every run from all others, as mixtures over the draws: a column per run.
struct LeftOutRuns {
  Matrix weights, means, scales;  // (draws, runs)
  double degrees_of_freedom = 0.0;
  InstructionSet path = InstructionSet::plain;
  std::vector<double> k_hat;   // of each run's weights: above 0.7 its prediction rests on few draws
  std::vector<bool> is_known;  // false of a run without which the trend cannot be found

  Index num_runs() const { return means.cols(); }
  // Valid as long as this is. The run must be known.
  StudentMixture at(Index run) const;
};

// No refit: without run i a draw weighs 1 / p(y_i | y without i, phi, nugget) times what it weighs with it. These
// weights are Pareto-smoothed; a plain average over the full posterior, which has seen y_i, would be optimistic.
// Scaling and prior stay those of all runs. relative_efficiency: what a draw of the sample is worth.
// Error{bad_data} if a predictive without one run would have no variance.
LeftOutRuns leave_one_out(const Predictive& predictive, double relative_efficiency, Executor& executor);

}  // namespace ta2s2
