// From a level's states and weights to what its report says of them.
#pragma once

#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/lineage_variance.hpp"
#include "ta2s2/smc/log_weights.hpp"

namespace ta2s2 {

// What was paid, and the states as the user knows them: in the target's own coordinates.
LevelSummary describe_level(const LevelMoves& moves, const Population& reported);

// This level's term of the log evidence, from the weights of the states that led to it. Returns the term by chains.
LevelExcess describe_weights(LevelSummary& report, const LogWeights& weights, const Population& population);

}  // namespace ta2s2
