// The maximiser in z of the posterior density, refined from given starts by NLopt.
#pragma once

#include "ta2s2/posterior.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {

// A local search inside the box from one start with a density; never worse than its start. Gradients are differences,
// so that a step asks for 2 d + 1 energies at once, which the evaluator's workers share. Where a gradient is not to be
// had, at points next to impossible ones, a search by simplices (Subplex) goes on. Throws what an evaluation throws.
MapEstimate refine(const Box& box, const Vector& start, const PointEvaluator& evaluate);
// On one thread: for a task of its own.
MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start);

}  // namespace ta2s2
