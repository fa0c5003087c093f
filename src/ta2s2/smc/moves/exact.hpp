// The default kernel: a random scan of three moves, each of which leaves the tempered density invariant.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

std::unique_ptr<Move> make_exact_kernel(const MoveShares& shares);

}  // namespace ta2s2
