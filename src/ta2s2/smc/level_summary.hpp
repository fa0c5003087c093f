// From a level's states and weights to what its summary says of them.
#pragma once

#include <chrono>

#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/draw_lineage.hpp"
#include "ta2s2/smc/schedule.hpp"

namespace ta2s2 {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// What was paid, and the states as the user knows them: in the target's own coordinates.
LevelSummary describe_level(const LevelMoves& moves, const Population& reported);

// This level's term of the log evidence, from the weights of the states that led to it. Returns the term by chains.
LevelExcess describe_weights(LevelSummary& report, const LogWeights& weights, const Population& population);

}  // namespace ta2s2
