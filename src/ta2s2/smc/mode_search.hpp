// Modes of a density by its gradient: many quasi-Newton searches side by side, and a normal approximation at each end.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/smc/path_target.hpp"

namespace ta2s2 {

// A mode of exp(-H) in the coordinates of a space, with the normal law that has its curvature.
struct LaplaceMode {
  Vector position;
  double energy = 0.0;  // H
  Matrix covariance, precision;
  double log_evidence = 0.0;  // of the normal approximation

  double squared_distance(VectorView z) const { return (z - position).dot(precision * (z - position)); }
};

struct ModeSearch {
  const SamplingSpace& space;
  Executor& executor;
  std::int64_t gradients = 0;  // paid so far

  // Adds to `modes` those that searches from the columns of `starts` find. Searches begin with the metric of
  // `covariance`; one that comes into the bulk of a known mode ends there. The best by Laplace evidence come first;
  // those that are hopeless beside the best are left out.
  void add_modes(std::vector<LaplaceMode>& modes, const Matrix& starts, const Matrix& covariance);
};

// The least H that a search from each column of `starts` comes to inside the box, walls included: polished, where a
// mode has only to be found. Infinite of a start without a density.
std::vector<MapEstimate> minimise(const DifferentiableTarget& target, const Box& box, const Matrix& starts,
                                  Executor& executor);

// The same mode in other coordinates of the same target.
LaplaceMode in_space(const LaplaceMode& mode, const SamplingSpace& from, const SamplingSpace& to, double energy);

}  // namespace ta2s2
