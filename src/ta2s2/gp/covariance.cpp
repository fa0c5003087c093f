#include "ta2s2/gp/covariance.hpp"

#include <algorithm>

namespace ta2s2 {

namespace {

// Correlations below this become zero: products of such numbers are subnormal, which slows a factorisation.
// max(k, kNegligible) - kNegligible leaves every k above 1e-84 as it is, and needs no branch.
constexpr double kNegligible = 1e-100;

void mirror_lower_triangle(Matrix& A) {
  for (Index j = 1; j < A.cols(); ++j) A.col(j).head(j) = A.row(j).head(j).transpose();
}

}  // namespace

void Covariance::fill(MatrixView X, VectorView phi, Matrix& K) const {
  const Index n = X.rows();
  K.resize(n, n);
  Chunk chunk;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      correlate(X.middleRows(i, length), X.row(j), phi, chunk);
      K.col(j).segment(i, length) = chunk.max(kNegligible) - kNegligible;
    }
  }
  K.diagonal().setOnes();
  mirror_lower_triangle(K);
}

void Covariance::fill_cross(MatrixView X, MatrixView W, VectorView phi, Matrix& T) const {
  const Index n = X.rows();
  T.resize(n, W.rows());
  Chunk chunk;
  for (Index j = 0; j < W.rows(); ++j) {
    for (Index i = 0; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      correlate(X.middleRows(i, length), W.row(j), phi, chunk);
      T.col(j).segment(i, length) = chunk.max(kNegligible) - kNegligible;
    }
  }
}

void Covariance::fill_derivative(MatrixView X, VectorView phi, const Matrix& K, Index d, Matrix& dK) const {
  const Index n = X.rows();
  dK.resize(n, n);
  Chunk chunk;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      chunk = (X.col(d).segment(i, length).array() - X(j, d)).abs();
      log_derivative(phi[d], chunk);
      dK.col(j).segment(i, length) = chunk * K.col(j).segment(i, length).array();
    }
  }
  mirror_lower_triangle(dK);
}

void Covariance::sum_log_derivatives(MatrixView X, VectorView phi, const Matrix& weights, Vector& sums) const {
  const Index n = X.rows();
  sums.setZero(X.cols());
  Chunk chunk;
  for (Index d = 0; d < X.cols(); ++d) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = j + 1; i < n; i += kChunk) {
        const Index length = std::min(kChunk, n - i);
        chunk = (X.col(d).segment(i, length).array() - X(j, d)).abs();
        log_derivative(phi[d], chunk);
        sums[d] += (chunk * weights.col(j).segment(i, length).array()).sum();
      }
    }
  }
}

}  // namespace ta2s2
