// An emulator that is right: its runs were drawn from the very process that it predicts with. Whatever its predictions
// of runs look like is chance.
#pragma once

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2::coverage {

struct ProblemSize {
  Index runs = 20, inputs = 2, validation = 100;
  double length = 0.35;  // length-scale, in widths of an input's range
  double nugget = 1e-6;
};

struct RightEmulator {
  Predictive predictive;
  Vector run_outputs;
  Matrix inputs;  // of runs that it has not seen
  Vector outputs;
};

RightEmulator draw_right_emulator(const ProblemSize& size, std::uint64_t seed, Index index);

}  // namespace ta2s2::coverage
