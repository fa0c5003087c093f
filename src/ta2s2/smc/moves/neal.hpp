// Neal's crumbs (2003, section 5.2) with the paper's c0/k shrinkage made exact.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

std::unique_ptr<Move> make_neal_kernel();

}  // namespace ta2s2
