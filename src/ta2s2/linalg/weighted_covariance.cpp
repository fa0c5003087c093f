#include "ta2s2/linalg/weighted_covariance.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/log_math.hpp"

namespace ta2s2 {

WeightedMoments weighted_moments(MatrixView points, VectorView weights) {
  const Vector mean = points * weights;
  const Matrix centred = points.colwise() - mean;
  return {mean, centred * weights.asDiagonal() * centred.transpose()};
}

Matrix regularised_factor(const Matrix& covariance) {
  // Coordinates may differ in scale by many orders: the ridge follows each. One that never moved gets the smallest
  // variance there is, or 1 if none moved.
  constexpr double kTiny = 1e-290;
  double smallest = kInfinity;
  for (const double variance : covariance.diagonal()) {
    if (variance > kTiny) smallest = std::min(smallest, variance);
  }
  if (!std::isfinite(smallest)) smallest = 1.0;
  Vector ridge = 1e-12 * covariance.diagonal().cwiseMax(smallest);
  for (;; ridge *= 100.0) {
    const Matrix lifted = covariance + Matrix(ridge.asDiagonal());
    const Eigen::LLT<Matrix> factor(lifted);
    if (factor.info() == Eigen::Success) return factor.matrixL();
  }
}

}  // namespace ta2s2
