// All of a level's adaptation, done before the level begins (docs/math.md, section 4).
#pragma once

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "ta2s2/smc/log_weights.hpp"

namespace ta2s2 {

struct LevelStart {
  Index level;
  double beta;
  double walk_scale;
  ProposalMixture mixture = {};  // of the level before, from which the fit begins; empty if there was none
};

// With the threads of `executor` if there is one; the plan does not depend on them.
LevelPlan plan_level(const LevelStart& start, std::shared_ptr<const Population> markers, const LogWeights& weights,
                     const Move& kernel, const AnnealOptions& options, Executor* executor = nullptr);

// For AIMS: the markers with weight, each with local steps of c0 n^(-1/(d+4)) times the level's spread, n their
// effective number. That is the rate of a kernel estimate: with more markers the proposal comes closer to the density
// itself.
MarkerMixture mix_markers(const Population& markers, const Vector& weights, const Matrix& factor, double beta);

// The random walk's scale for the next level, from its acceptance in this one.
double adapt_walk_scale(double scale, double acceptance, Index dim);

}  // namespace ta2s2
