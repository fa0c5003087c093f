// Mean and covariance of weighted points.
#pragma once

#include "ta2s2/types.hpp"

namespace ta2s2 {

struct WeightedMoments {
  Vector mean;
  Matrix covariance;
};

// Columns of `points` with weights that sum to one; the covariance is the plain weighted one (no small-sample factor).
WeightedMoments weighted_moments(MatrixView points, VectorView weights);

// Lower Cholesky factor of a covariance that may be singular (few distinct points, an input that never moved): a
// ridge, grown from 1e-12 of each coordinate's own variance, is added until the factor exists.
Matrix regularised_factor(const Matrix& covariance);

}  // namespace ta2s2
