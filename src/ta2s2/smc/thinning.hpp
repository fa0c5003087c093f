// Few of many weighted draws that estimate what the many did.
#pragma once

#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

struct ThinnedDraws {
  std::vector<Index> kept;  // rising
  Vector weights;           // of the kept ones; sum to one
};

// `count` of the draws, none of them twice, or all that weigh anything if these are no more (Fearnhead and Clifford
// 2003). Draws heavier than c stay as they are; each other one is kept with probability w / c, by systematic
// resampling, and then weighs c, so that expected weights are the given ones. `weights` sum to one.
ThinnedDraws thin(const Vector& weights, Index count, Stream& stream);

}  // namespace ta2s2
