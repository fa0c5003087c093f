#include "ta2s2/posterior.hpp"

namespace ta2s2 {

double LevelSummary::acceptance() const {
  PartTally all;
  for (const PartTally& part : parts) {
    all.steps += part.steps;
    all.moved += part.moved;
  }
  return all.acceptance();
}

}  // namespace ta2s2
