#include "ta2s2/gp/detail/orthonormal_columns.hpp"

namespace ta2s2::detail {

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

}  // namespace ta2s2::detail
