// H as docs/math.md, sections 1 and 2, states it, written again without any of the library's kernels: what every timed
// answer is held against first.
#pragma once

#include "problem.hpp"

namespace ta2s2::bench {

// H at a position: in extended precision where that takes seconds at most, else in double.
double plain_energy(const GpTarget& target, const ModelChoice& choice, VectorView z);

}  // namespace ta2s2::bench
