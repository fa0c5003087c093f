// Where a level's chains start and how long they are.
#pragma once

#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/smc/population.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

struct ChainPlan {
  std::vector<Index> starts;       // index into the previous level's population
  std::vector<Index> lengths;      // states to keep after the start
  std::vector<Index> group_begin;  // group g holds chains [group_begin[g], group_begin[g + 1])
};

// `count` indices; index i appears count * weights[i] times, rounded up or down. `weights` sum to one.
std::vector<Index> systematic_resample(const Vector& weights, Index count, Stream& stream);

// One group. `weights` sum to one. `chain_length` is P of equal growth; tmcmc ignores it.
ChainPlan grow(Growth growth, const Vector& weights, Index num_samples, Index chain_length, Stream& stream);

// Starts are drawn within each group of `markers`, the same number in each: groups share the levels' plans but no
// ancestor, so that what they disagree on shows what the sampler has missed. A group that has lost every point of
// weight starts again from all groups.
ChainPlan grow_in_groups(Growth growth, const Vector& weights, const Population& markers, Index num_samples,
                         Index chain_length, Stream& stream);

// P for a target of dimension d when N states are wanted: longer in more dimensions, where a chain takes longer to
// forget what earlier levels got wrong, and never so long that fewer than kMinChains chains are left.
inline constexpr Index kMinChains = 30;
Index default_chain_length(Index dim, Index num_samples);
// Chains shorter than this bias what a run finds (docs/exactness.md, section 5).
Index least_chain_length(Index dim);

}  // namespace ta2s2
