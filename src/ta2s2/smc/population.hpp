// The points of one level and what was paid for them.
#pragma once

#include <algorithm>
#include <vector>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

// positions.col(i) has energy energies[i], always. Points of one chain stand together: chain c holds columns
// [chain_begin[c], chain_begin[c + 1]). Chains of one group stand together: group g holds chains
// [group_begin[g], group_begin[g + 1]).
struct Population {
  Matrix positions;  // (d, N)
  std::vector<Energy> energies;
  std::vector<Index> chain_begin;
  std::vector<Index> group_begin;
  std::vector<Index> parents = {};  // of each chain, the chain of the level before where it started; none at level 0

  Index size() const { return positions.cols(); }
  Index num_chains() const { return static_cast<Index>(chain_begin.size()) - 1; }
  Index num_groups() const { return static_cast<Index>(group_begin.size()) - 1; }
  Index chain_of(Index state) const {
    return std::upper_bound(chain_begin.begin(), chain_begin.end(), state) - chain_begin.begin() - 1;
  }
  // The first state of group g; of num_groups(), the end of all.
  Index first_state_of_group(Index g) const {
    return chain_begin[static_cast<std::size_t>(group_begin[static_cast<std::size_t>(g)])];
  }
};

// States of one level, or of several, with weights that sum to one. Chains of one level stand in its own order, so that
// `parents` count the chains of the level before.
struct WeightedPopulation : Population {
  Vector weights;
  std::vector<Index> chain_levels;  // of each chain, from 0
};

}  // namespace ta2s2
