// Fits the proposal mixture of a level to its weighted markers (docs/math.md, section 4).
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {

// Of more points as many are taken by systematic resampling: the fit only says where to go, and must not cost more than
// the level.
inline constexpr Index kMostFittedPoints = 2000;

struct MixtureFitOptions {
  int max_components = 8;
  // Of the points: the sample size that BIC is told, and as how many independent ones they count. Each is the ESS of
  // the weights if it is not given.
  double num_effective = 0.0, num_independent = 0.0;
  ProposalMixture start = {};  // where to begin; if empty, with one component
  InstructionSet simd = best_instruction_set();
  Executor* executor = nullptr;  // whose threads take a pass together; without one it is the caller's
  int freedom = kMixtureFreedom;
};

// EM on weighted points (weights sum to one), the number of components by BIC: from the start a component is split
// while that is worth its parameters, else two are merged while they are not worth theirs.
ProposalMixture fit_proposal_mixture(const Matrix& points, const Vector& weights, const MixtureFitOptions& options,
                                     Stream& stream);

}  // namespace ta2s2
