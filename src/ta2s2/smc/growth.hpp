// Where a level's chains start and how long they are.
#pragma once

#include <vector>

#include "ta2s2/base/types.hpp"
#include "ta2s2/rng/stream.hpp"

namespace ta2s2 {

enum class Growth {
  equal,  // equal-length chains from systematic resampling (Dau and Chopin 2022): the default
  tmcmc,  // chain j as long as it was drawn (Ching and Chen 2007): the paper's, biased (docs/paper_notes.md, note 8)
};

struct ChainPlan {
  std::vector<Index> starts;   // index into the previous level's population
  std::vector<Index> lengths;  // states to keep after the start
};

// `count` indices; index i appears count * weights[i] times, rounded up or down. `weights` sum to one.
std::vector<Index> systematic_resample(const Vector& weights, Index count, Stream& stream);

// `weights` sum to one. `chain_length` is P of equal growth; tmcmc ignores it.
ChainPlan grow(Growth growth, const Vector& weights, Index num_samples, Index chain_length, Stream& stream);

// P for a target of dimension d when N states are wanted: longer in more dimensions, and never so long that fewer
// than kMinChains chains are left.
inline constexpr Index kMinChains = 30;
Index default_chain_length(Index dim, Index num_samples);

}  // namespace ta2s2
