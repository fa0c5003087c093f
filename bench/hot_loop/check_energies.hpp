// No time is taken of a wrong answer.
#pragma once

#include "problem.hpp"

namespace ta2s2::bench {

// Evaluates the positions one by one and as a block and compares with the plain H. Returns the largest error; a wrong
// answer ends the program with a message.
double check_energies(const GpTarget& target, const ModelChoice& choice, const Matrix& positions);

}  // namespace ta2s2::bench
