#include "ta2s2/smc/level_report.hpp"

namespace ta2s2 {

double LevelReport::acceptance() const {
  PartTally all;
  for (const PartTally& part : parts) {
    all.steps += part.steps;
    all.moved += part.moved;
  }
  return all.acceptance();
}

}  // namespace ta2s2
