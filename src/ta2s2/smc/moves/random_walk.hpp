// Random-walk Metropolis with the level's covariance.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

// c0 of the paper (after (4.9)): 2.38 / sqrt(d).
double proposal_spread(Index dim);

// x' = x + s c0 chol(Sigma) e.
ChainTask<Step> random_walk_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream);

std::unique_ptr<Move> make_random_walk_kernel();

}  // namespace ta2s2
