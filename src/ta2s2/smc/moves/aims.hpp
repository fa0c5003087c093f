// Asymptotically independent Markov sampling (Beck and Zuev 2013).
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

std::unique_ptr<Move> make_aims_kernel();

}  // namespace ta2s2
