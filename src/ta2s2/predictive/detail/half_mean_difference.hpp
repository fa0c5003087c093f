// 1/2 E|X - X'| of a mixture of Student t: the part of its CRPS that does not depend on the truth.
#pragma once

#include <span>

#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// The integral of F (1 - F), by quadrature, to 1e-7 of itself or (nearly always) far better. Scales of zero are
// allowed.
double half_mean_difference(const StudentTable& table, std::span<const double> weights, std::span<const double> means,
                            std::span<const double> scales, InstructionSet path);

}  // namespace ta2s2
