// Cosines and sines of many waves: predictive/sample_function.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

struct WaveRoutines {
  // cosines[k] = cos(frequencies[k] x), sines[k] likewise, within 3 units in the last place of 1.
  void (*waves)(std::size_t count, const double* frequencies, double x, double* cosines, double* sines);
};

// As far as an angle may be from zero.
inline constexpr double kLargestAngle = 39000.0;

// Null for InstructionSet::plain.
const WaveRoutines* wave_routines(InstructionSet path);

}  // namespace ta2s2
