// Which draws of a sample may resemble each other, so that a run that starts from them knows how far to trust them; and
// how far an estimate from several levels may be off, from what each chain added to it and which chain it came from.
#pragma once

#include <span>
#include <vector>

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

// One level's part of an estimate that is a sum over levels, by its chains.
struct LevelExcess {
  // What a chain added minus what it was to add: its part of the error. Sums to zero.
  std::vector<double> excess;
  // The chain of the level before from which each chain started; not read of the first level.
  std::vector<Index> parents;
};

// Chains as independent as they are given the level's plan. Zero for one chain, which tells nothing.
double level_variance(const LevelExcess& term);

// A chain starts where its parent was, and if it forgets that slowly it repeats the errors of its parent and of its
// siblings. So chains are independent only if their ancestors `window` levels earlier differ: the genealogy of Lee and
// Whiteley (2018) in the window of Olsson and Douc (2019).
inline constexpr std::size_t kLineage = 2;
double lineage_variance(std::span<const LevelExcess> terms, std::size_t window = kLineage);

}  // namespace ta2s2
