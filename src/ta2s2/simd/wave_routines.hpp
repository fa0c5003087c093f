// What the terms of a sample function are along one input: predictive/sample_function.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

struct WaveRoutines {
  // cosines[k] = cos(frequencies[k] x), sines[k] likewise, within 3 units in the last place of 1.
  void (*waves)(std::size_t count, const double* frequencies, double x, double* cosines, double* sines);
  // sums[j] = sum_i weights[i] (1 + base[i] + own[i * num_values + j])^-shape, i below num_runs in rising order, for a
  // number of values that is a multiple of kPaddedValues. Each sum depends on its own values alone.
  void (*sums_of_powers)(std::size_t num_runs, std::size_t num_values, const double* weights, const double* base,
                         const double* own, double shape, double* sums);
};

inline constexpr std::size_t kPaddedValues = 8;

// As far as an angle may be from zero.
inline constexpr double kLargestAngle = 39000.0;

// Null for InstructionSet::plain.
const WaveRoutines* wave_routines(InstructionSet path);

}  // namespace ta2s2
