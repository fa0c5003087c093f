// Root of the reference prior's information (Paulo 2005), docs/math.md, section 2: |I|^(1/2) with
// I = [[m, tr W_i], [., tr W_i W_j]] and W_i = (dK/dv_i) Q, v = (log phi_1, ..., log phi_p) and, jointly, the nugget.
//
// With K_delta = L L' and P = I - U U' we have Q = L^-T P L^-1, and W_i has the traces of the symmetric
// A_i = P L^-1 (dK/dv_i) L^-T P: tr W_i = tr A_i and tr W_i W_j = <A_i, A_j>. Hence |I| = m |<B_i, B_j>| with
// the traceless B_i = A_i - (tr A_i / m) P, and |I|^(1/2) is sqrt(m) times the volume that the B_i span.
#pragma once

#include "ta2s2/gp/integrated_posterior.hpp"

namespace ta2s2 {

enum class InformationOver { nothing, length_scales, length_scales_and_nugget };

// Memory that the plain form works in.
struct InformationScratch {
  Matrix derivative;
  Matrix roots;
  Matrix triangle;
};

// 1/2 log |I|, the plain form: the volume by orthogonalising the B_i, which does not square their condition.
double log_information_root(const GpModel& model, const GpParameters& parameters, const GpFactor& factor,
                            InformationOver over, InformationScratch& scratch);

// The same from gram(i, j) = <B_i, B_j>, for m = residual_rank. NaN where the B_i are so close to dependent that their
// products do not tell them apart to ten digits.
double log_information_root(const Matrix& gram, Index residual_rank);

}  // namespace ta2s2
