// The points of one level and what was paid for them.
#pragma once

#include <vector>

#include "ta2s2/base/target_density.hpp"

namespace ta2s2 {

// positions.col(i) has energy energies[i], always. Points of one chain stand together: chain c holds columns
// [chain_begin[c], chain_begin[c + 1]).
struct Population {
  Matrix positions;  // (d, N)
  std::vector<Energy> energies;
  std::vector<Index> chain_begin;

  Index size() const { return positions.cols(); }
  Index num_chains() const { return static_cast<Index>(chain_begin.size()) - 1; }
};

}  // namespace ta2s2
