// Cholesky factor of a symmetric positive definite matrix, in place.
#pragma once

#include "ta2s2/types.hpp"

namespace ta2s2 {

enum class CholeskyStatus { ok, not_positive_definite, not_finite };

// Reads the lower triangle of A and leaves there L with L L' = A; the strict upper triangle stays as it was.
// Without success the content of A is of no use.
CholeskyStatus cholesky_in_place(Matrix& A);

// The lower triangle of A^-1 = L^-T L^-1, from the lower triangle of the factor L of A; `inverse_factor` becomes L^-1,
// with zeros above its diagonal. 2/3 n^3 operations; what stands above the diagonal of `inverse` is of no use.
void cholesky_inverse(const Matrix& L, Matrix& inverse_factor, Matrix& inverse);

// log |A| from the factor L of A.
double cholesky_log_determinant(const Matrix& L);

}  // namespace ta2s2
