// Cosines and sines of many waves: emulator/process_path.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/path.hpp"

namespace ta2s2 {

struct WaveKernels {
  // cosines[k] = cos(frequencies[k] x), sines[k] likewise, within 3 units in the last place of 1.
  void (*waves)(std::size_t count, const double* frequencies, double x, double* cosines, double* sines);
};

// As far as an angle may be from zero.
inline constexpr double kLargestAngle = 39000.0;

// Null for SimdPath::plain.
const WaveKernels* wave_kernels(SimdPath path);

}  // namespace ta2s2
