// Orthonormal bases of a few columns, in place.
#pragma once

#include "ta2s2/types.hpp"

namespace ta2s2::detail {

// V = U R: leaves U (orthonormal columns) in V, and R upper triangular. Gram-Schmidt with each column
// projected twice, after which U is orthonormal to rounding (Giraud, Langou and Rozloznik 2005).
void orthonormalise(Matrix& V, Matrix& R);

// Leaves (I - U U') w in w and U' w in coordinates; the projection is done twice, so that what is left has no
// component along U even where w almost lies in its span.
void project_out(const Matrix& U, Vector& w, Vector& coordinates);

}  // namespace ta2s2::detail
