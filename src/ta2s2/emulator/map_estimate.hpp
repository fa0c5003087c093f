// The maximiser in z of the posterior density, refined from given starts by NLopt.
#pragma once

#include "ta2s2/base/target_density.hpp"

namespace ta2s2 {

struct MapEstimate {
  Vector position;
  double energy = kInfinity;  // H at the position
  int evaluations = 0;
};

// A local search (Subplex) inside the box from one start with a density; never worse than its start. Throws what the
// target throws.
MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start);

}  // namespace ta2s2
