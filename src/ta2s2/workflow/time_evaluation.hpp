// What one evaluation of H takes on this machine.
#pragma once

#include <cstdint>

#include "ta2s2/compare.hpp"
#include "ta2s2/sample.hpp"

namespace ta2s2 {

// Processor time of one thread, at points drawn as the fit draws its start points. Each way is repeated for about
// `seconds`, but at least one block of it: 0 asks for just that.
EvaluationTime time_evaluation(const TargetDensity& target, std::uint64_t seed, double seconds = 0.4);

}  // namespace ta2s2
