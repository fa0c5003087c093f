// What one evaluation of H takes on this machine.
#pragma once

#include <cstdint>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

struct EvaluationTime {
  double in_block_seconds = 0.0;  // of one point of a full block, which is how chains ask
  double alone_seconds = 0.0;     // of one point per call, which is how the search for modes asks
};

// Processor time of one thread, at points drawn as the fit draws its start points. Each way is repeated for about
// `seconds`, but at least one block of it: 0 asks for just that.
EvaluationTime time_evaluation(const TargetDensity& target, std::uint64_t seed, double seconds = 0.4);

}  // namespace ta2s2
