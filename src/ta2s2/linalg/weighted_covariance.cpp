#include "ta2s2/linalg/weighted_covariance.hpp"

namespace ta2s2 {

WeightedMoments weighted_moments(MatrixView points, VectorView weights) {
  const Vector mean = points * weights;
  const Matrix centred = points.colwise() - mean;
  return {mean, centred * weights.asDiagonal() * centred.transpose()};
}

Matrix regularised_factor(const Matrix& covariance) {
  const Index d = covariance.rows();
  const double mean_variance = covariance.trace() / static_cast<double>(d);
  double ridge = (mean_variance > 0.0 ? mean_variance : 1.0) * 1e-12;
  for (;; ridge *= 100.0) {
    const Eigen::LLT<Matrix> factor(covariance + ridge * Matrix::Identity(d, d));
    if (factor.info() == Eigen::Success) return factor.matrixL();
  }
}

}  // namespace ta2s2
