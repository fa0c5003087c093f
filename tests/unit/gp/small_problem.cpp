#include "unit/gp/small_problem.hpp"

#include <gtest/gtest.h>

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
  GpParameters parameters{Vector(p), nugget, 0.7};
  for (Index d = 0; d < p; ++d) parameters.phi[d] = 0.1 * static_cast<double>(d + 1);
  return parameters;
}

std::string ModelChoice::name() const {
  return covariance + ' ' + trend + (prior == TrendPrior::flat ? "" : " unit-information") +
         (exponent == Exponent::paper ? " paper" : "") + ' ' + transform;
}

// The user's zero is below all outputs, so that they have a logarithm.
GpModel model_with(const ModelChoice& choice, Index n, Index p) {
  const Matrix X = scattered_points(n, p);
  const Vector y = smooth_output(X);
  const double zero = y.minCoeff() - 0.1;
  return GpModel(X, y, Trend(choice.trend, input_names(p)), make_covariance(choice.covariance), choice.exponent,
                 choice.prior, OutputTransform::from(choice.transform, y, zero));
}

std::vector<ModelChoice> model_choices() {
  std::vector<ModelChoice> choices;
  for (const auto& covariance : covariance_examples()) {
    for (const char* trend : {"none", "constant", "linear"}) choices.push_back({trend, covariance});
    choices.push_back({"linear", covariance, "none", TrendPrior::unit_information});
  }
  for (const auto& transform : transform_names()) {
    if (transform == "none") continue;
    for (const char* covariance : {"matern52", "rational-quadratic"}) {
      for (const char* trend : {"constant", "linear"}) choices.push_back({trend, covariance, transform});
      choices.push_back({"linear", covariance, transform, TrendPrior::unit_information});
    }
  }
  return choices;
}

GpParameters some_parameters(const GpModel& model, double nugget) {
  GpParameters parameters = some_parameters(model.num_inputs(), nugget);
  parameters.transform.resize(model.transform().num_parameters());
  if (model.transform().kind() == TransformKind::box_cox) parameters.transform << -1.0, 0.3;
  if (model.transform().kind() == TransformKind::sinh_arcsinh) parameters.transform << 0.2, -0.4;
  return parameters;
}

std::vector<GpParameters> scattered_parameters(const GpModel& model, Index count, Interval log_phi, double nugget,
                                               std::uint64_t seed) {
  Stream stream({.seed = seed, .purpose = Purpose::start_point});
  const auto within = [&](const Interval& box) { return box.low + box.width() * draw_uniform(stream); };
  std::vector<GpParameters> points;
  for (Index i = 0; i < count; ++i) {
    GpParameters point{Vector(model.num_inputs()), nugget};
    for (double& phi : point.phi) phi = std::exp(within(log_phi));
    if (const auto shape = model.covariance().shape()) point.log_shape = within(shape->box);
    point.transform.resize(model.transform().num_parameters());
    for (Index k = 0; k < point.transform.size(); ++k) {
      point.transform[k] = within(model.transform().coordinates()[static_cast<std::size_t>(k)].box);
    }
    points.push_back(point);
  }
  return points;
}

Vector coordinates_of(const GpModel& model, const GpParameters& at) {
  const Index inputs = model.num_inputs(), shapes = model.covariance().shape() ? 1 : 0;
  Vector z(inputs + 1 + shapes + at.transform.size());
  z.head(inputs) = at.phi.array().log();
  z[inputs] = std::log(at.nugget);
  if (shapes > 0) z[inputs + 1] = at.log_shape;
  z.tail(at.transform.size()) = at.transform;
  return z;
}

GpParameters parameters_at(const GpModel& model, const Vector& z) {
  const Index inputs = model.num_inputs();
  GpParameters at{z.head(inputs).array().exp(), std::exp(z[inputs])};
  if (model.covariance().shape()) at.log_shape = z[inputs + 1];
  at.transform = z.tail(model.transform().num_parameters());
  return at;
}

Vector joined(const GpModel& model, const LikelihoodGradient& gradient, double nugget) {
  const Index inputs = model.num_inputs(), shapes = model.covariance().shape() ? 1 : 0;
  EXPECT_EQ(gradient.by_transform.size(), model.transform().num_parameters());
  Vector all(inputs + 1 + shapes + gradient.by_transform.size());
  all.head(inputs) = gradient.by_log_phi;
  all[inputs] = gradient.by_nugget * nugget;
  if (shapes > 0) all[inputs + 1] = gradient.by_log_shape;
  all.tail(gradient.by_transform.size()) = gradient.by_transform;
  return all;
}

LongMatrix long_inverse(const LongMatrix& A) {
  return A.inverse();
}

long double long_log_determinant(const LongMatrix& A) {
  return std::log(A.determinant());
}

DenseTruth::DenseTruth(const GpModel& model, const GpParameters& parameters) {
  Matrix plain;
  model.covariance().fill(model.X(), parameters, plain);
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
