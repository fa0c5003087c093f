#include "unit/gp/small_problem.hpp"

#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2::test {

Matrix scattered_points(Index n, Index p, std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::design});
  Matrix X(n, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) X(i, j) = draw_uniform(stream);
  }
  return X;
}

Vector smooth_output(const Matrix& X) {
  Vector y(X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    y[i] = std::sin(4.0 * X(i, 0)) + 0.7 * X.row(i).squaredNorm() - 0.4 * std::cos(3.0 * X.row(i).sum());
  }
  return y;
}

std::vector<std::string> input_names(Index p) {
  std::vector<std::string> names;
  for (Index d = 0; d < p; ++d) names.push_back("x" + std::to_string(d + 1));
  return names;
}

GpModel small_model(Index n, Index p, const std::string& trend, const std::string& covariance, Exponent exponent) {
  const Matrix X = scattered_points(n, p);
  return GpModel(X, smooth_output(X), Trend(trend, input_names(p)), make_covariance(covariance), exponent);
}

GpParameters some_parameters(Index p, double nugget) {
  GpParameters parameters{Vector(p), nugget};
  for (Index d = 0; d < p; ++d) parameters.phi[d] = 0.1 * static_cast<double>(d + 1);
  return parameters;
}

LongMatrix long_inverse(const LongMatrix& A) {
  return A.inverse();
}

long double long_log_determinant(const LongMatrix& A) {
  return std::log(A.determinant());
}

DenseTruth::DenseTruth(const GpModel& model, const GpParameters& parameters) {
  Matrix plain;
  model.covariance().fill(model.X(), parameters.phi, plain);
  K = plain.cast<long double>();
  K.diagonal().array() += static_cast<long double>(parameters.nugget);
  H = model.H().cast<long double>();
  y = model.y().cast<long double>();
  K_inverse = long_inverse(K);
  trend_information = H.transpose() * K_inverse * H;
  Q = K_inverse;
  if (H.cols() > 0) Q -= K_inverse * H * long_inverse(trend_information) * H.transpose() * K_inverse;
  S2 = y.dot(Q * y);
  log_det_K = long_log_determinant(K);
  log_det_trend = H.cols() > 0 ? long_log_determinant(trend_information) : 0.0L;
}

}  // namespace ta2s2::test
