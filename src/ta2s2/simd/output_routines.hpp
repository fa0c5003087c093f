// The logarithms and exponentials of transformed outputs, many at a time: gp/output_transform.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// Of v = u + shift > 0: log v and (v^power - 1) / power, which is log v where the power is zero. Each number depends on
// its own u, shift and power alone, so that both routines give the same bits.
struct OutputRoutines {
  // One u, as many shifts and powers as there are lanes: arrays of this size, aligned to 64 bytes.
  void (*box_cox_in_lanes)(double u, const double* shifts, const double* powers, double* log_v, double* values);
  // One shift and power, many u: arrays of `count` numbers, of any alignment.
  void (*box_cox_of_runs)(std::size_t count, const double* u, double shift, double power, double* log_v,
                          double* values);
};

// Null for InstructionSet::plain.
const OutputRoutines* output_routines(InstructionSet path);

}  // namespace ta2s2
