// Elliptical slice sampling on the fitted mixture alone: the exact kernel's third move as a kernel of its own.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

// The step says that it was `part` of its kernel.
ChainTask<Step> elliptical_slice_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream,
                                      int part);

std::unique_ptr<Move> make_elliptical_kernel();

}  // namespace ta2s2
