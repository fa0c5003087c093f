// A few runs of a smooth function, and the dense algebra of docs/math.md, section 1 in long double as the truth.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

inline Matrix scattered_points(Index n, Index p, std::uint64_t seed = 1) {
  Stream stream({.seed = seed, .purpose = Purpose::design});
  Matrix X(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) X(i, j) = draw_uniform(stream);
  }
  return X;
}

inline Vector smooth_output(const Matrix& X) {
  Vector y(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    y[i] = std::sin(4.0 * X(i, 0)) + 0.7 * X.row(i).squaredNorm() - 0.4 * std::cos(3.0 * X.row(i).sum());
  }
  return y;
}

inline std::vector<std::string> input_names(Index p) {
  std::vector<std::string> names;
  for (Index d = 0; d < p; ++d) names.push_back("x" + std::to_string(d + 1));
  return names;
}

inline GpModel small_model(Index n, Index p, const std::string& trend = "constant",
                           const std::string& covariance = "matern52", Exponent exponent = Exponent::model) {
  const Matrix X = scattered_points(n, p);
  return GpModel(X, smooth_output(X), Trend(trend, input_names(p)), make_covariance(covariance), exponent);
}

inline GpParameters some_parameters(Index p, double nugget = 1e-3) {
  GpParameters parameters{Vector(p), nugget};
  for (Index d = 0; d < p; ++d) parameters.phi[d] = 0.1 * static_cast<double>(d + 1);
  return parameters;
}

// Twelve runs and a nugget of 1e-3: condition below 1e5, so each figure keeps ten digits at least.
inline constexpr double kDenseTolerance = 1e-10;

// The formulas as they stand, with explicit inverses and determinants.
struct DenseTruth {
  LongMatrix K, K_inverse, H, trend_information, Q;
  LongVector y;
  long double S2, log_det_K, log_det_trend;

  DenseTruth(const GpModel& model, const GpParameters& parameters) {
    Matrix plain;
    model.covariance().fill(model.X(), parameters.phi, plain);
    K = plain.cast<long double>();
    K.diagonal().array() += static_cast<long double>(parameters.nugget);
    H = model.H().cast<long double>();
    y = model.y().cast<long double>();
    K_inverse = K.inverse();
    trend_information = H.transpose() * K_inverse * H;
    Q = K_inverse;
    if (H.cols() > 0) Q -= K_inverse * H * trend_information.inverse() * H.transpose() * K_inverse;
    S2 = y.dot(Q * y);
    log_det_K = std::log(K.determinant());
    log_det_trend = H.cols() > 0 ? std::log(trend_information.determinant()) : 0.0L;
  }
};

}  // namespace ta2s2::test
