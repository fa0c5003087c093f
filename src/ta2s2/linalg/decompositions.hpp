// Cholesky factor of a symmetric positive definite matrix, and orthonormal bases of a few columns, in place.
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

// V = U R: leaves U (orthonormal columns) in V, and R upper triangular. Gram-Schmidt with each column
// projected twice, after which U is orthonormal to rounding (Giraud, Langou and Rozloznik 2005).
void orthonormalise(Matrix& V, Matrix& R);

// Leaves (I - U U') w in w and U' w in coordinates; the projection is done twice, so that what is left has no
// component along U even where w almost lies in its span.
void project_out(const Matrix& U, Vector& w, Vector& coordinates);

}  // namespace ta2s2
