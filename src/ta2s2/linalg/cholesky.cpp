#include "ta2s2/linalg/cholesky.hpp"

#include <cmath>

namespace ta2s2 {

CholeskyStatus cholesky_in_place(Matrix& A) {
  const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> factor(A);
  if (factor.info() != Eigen::Success) return CholeskyStatus::not_positive_definite;
  // A NaN in row i passes Eigen's test (pivot <= 0) and makes pivot i NaN.
  for (Index i = 0; i < A.rows(); ++i) {
    if (!std::isfinite(A(i, i))) return CholeskyStatus::not_finite;
  }
  return CholeskyStatus::ok;
}

namespace {

using Block = Eigen::Ref<Matrix>;
using ConstBlock = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
constexpr Index kSmallBlock = 16;

// With L = [A 0; B C], L^-1 = [A^-1 0; -C^-1 B A^-1, C^-1]: halving passes over the zeros, which a solve with the
// identity on its right would not.
void invert_lower_triangle(Block L) {
  const Index n = L.rows();
  if (n == 1) {
    L(0, 0) = 1.0 / L(0, 0);
    return;
  }
  const Index half = n / 2, rest = n - half;
  Block A = L.topLeftCorner(half, half), B = L.bottomLeftCorner(rest, half), C = L.bottomRightCorner(rest, rest);
  C.triangularView<Eigen::Lower>().solveInPlace(B);
  A.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(B);
  B = -B;
  invert_lower_triangle(A);
  invert_lower_triangle(C);
}

// The lower triangle of M' M for a lower triangular M = [A 0; B C]: [A'A + B'B, .; C'B, C'C].
void multiply_by_transpose(const ConstBlock& M, Block out) {
  const Index n = M.rows();
  if (n <= kSmallBlock) {
    out.setZero();
    out.selfadjointView<Eigen::Lower>().rankUpdate(M.transpose());
    return;
  }
  const Index half = n / 2, rest = n - half;
  const ConstBlock B = M.bottomLeftCorner(rest, half), C = M.bottomRightCorner(rest, rest);
  Block top = out.topLeftCorner(half, half);
  multiply_by_transpose(M.topLeftCorner(half, half), top);
  top.selfadjointView<Eigen::Lower>().rankUpdate(B.transpose());
  out.bottomLeftCorner(rest, half).noalias() = C.transpose().triangularView<Eigen::Upper>() * B;
  multiply_by_transpose(C, out.bottomRightCorner(rest, rest));
}

}  // namespace

void cholesky_inverse(const Matrix& L, Matrix& inverse_factor, Matrix& inverse) {
  inverse_factor = L.triangularView<Eigen::Lower>();
  invert_lower_triangle(inverse_factor);
  inverse.resize(L.rows(), L.cols());
  multiply_by_transpose(inverse_factor, inverse);
}

double cholesky_log_determinant(const Matrix& L) {
  return 2.0 * L.diagonal().array().log().sum();
}

}  // namespace ta2s2
