// Which draws of a sample may resemble each other, so that a run that starts from them knows how far to trust them.
#pragma once

#include "ta2s2/posterior.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

// Of the states `kept`, in rising order.
DrawLineage lineage_of(const WeightedPopulation& states, const std::vector<Index>& kept);

// Of draws whose lineage was not recorded: stretches of them that stand together, as many as the draws are worth.
DrawLineage assumed_lineage(Index num_draws, double effective_sample_size);

// Weighted draws as `count` equally weighted ones, families together: each stands there about once, by systematic
// resampling.
StartStates start_states(const Matrix& draws, const Vector& weights, const DrawLineage& lineage, Index count,
                         Stream& stream);

}  // namespace ta2s2
