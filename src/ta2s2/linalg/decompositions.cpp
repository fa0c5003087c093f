#include "ta2s2/linalg/decompositions.hpp"

#include <cmath>

namespace ta2s2 {
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

CholeskyStatus cholesky_in_place(Matrix& A) {
  const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> factor(A);
  if (factor.info() != Eigen::Success) return CholeskyStatus::not_positive_definite;
  // A NaN in row i passes Eigen's test (pivot <= 0) and makes pivot i NaN.
  for (Index i = 0; i < A.rows(); ++i) {
    if (!std::isfinite(A(i, i))) return CholeskyStatus::not_finite;
  }
  return CholeskyStatus::ok;
}

void cholesky_inverse(const Matrix& L, Matrix& inverse_factor, Matrix& inverse) {
  inverse_factor = L.triangularView<Eigen::Lower>();
  invert_lower_triangle(inverse_factor);
  inverse.resize(L.rows(), L.cols());
  multiply_by_transpose(inverse_factor, inverse);
}

double cholesky_log_determinant(const Matrix& L) {
  return 2.0 * L.diagonal().array().log().sum();
}

void orthonormalise(Matrix& V, Matrix& R) {
  R.setZero(V.cols(), V.cols());
  for (Index j = 0; j < V.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Index i = 0; i < j; ++i) {
        const double along = V.col(i).dot(V.col(j));
        R(i, j) += along;
        V.col(j) -= along * V.col(i);
      }
    }
    R(j, j) = V.col(j).norm();
    V.col(j) /= R(j, j);
  }
}

void project_out(const Matrix& U, Vector& w, Vector& coordinates) {
  coordinates.setZero(U.cols());
  for (int pass = 0; pass < 2; ++pass) {
    for (Index j = 0; j < U.cols(); ++j) {
      const double along = U.col(j).dot(w);
      coordinates[j] += along;
      w -= along * U.col(j);
    }
  }
}

}  // namespace ta2s2
