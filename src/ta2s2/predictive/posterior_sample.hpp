// Draws from the posterior of the hyper-parameters, as sampled.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/base/types.hpp"
#include "ta2s2/smc/draw_lineage.hpp"

namespace ta2s2 {

struct PosteriorSample {
  std::vector<std::string> names;  // of the sampling coordinates
  Matrix positions;                // z, one draw per column
  Vector weights;                  // sum to one
  Vector energies;                 // H = -log posterior density of each draw, output in the user's units
  DrawLineage lineage = {};        // not known of a sample that was read from an early file

  Index size() const { return positions.cols(); }
};

}  // namespace ta2s2
