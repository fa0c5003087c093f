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

double cholesky_log_determinant(const Matrix& L) {
  return 2.0 * L.diagonal().array().log().sum();
}

}  // namespace ta2s2
