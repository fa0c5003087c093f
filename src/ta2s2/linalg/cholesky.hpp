// Cholesky factor of a symmetric positive definite matrix, in place.
#pragma once

#include "ta2s2/base/types.hpp"

namespace ta2s2 {

enum class CholeskyStatus { ok, not_positive_definite, not_finite };

// Reads the lower triangle of A and leaves there L with L L' = A; the strict upper triangle stays as it was.
// Without success the content of A is of no use.
CholeskyStatus cholesky_in_place(Matrix& A);

// log |A| from the factor L of A.
double cholesky_log_determinant(const Matrix& L);

}  // namespace ta2s2
