#include "unit/gp/long_likelihood.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2::test {
namespace {

long double long_factor(const std::string& name, long double distance, long double phi) {
  const long double square = 0.5L * distance * distance / phi;
  if (name == "squared-exponential") return std::exp(-square);
  if (name == "rational(0.5)") return (1.0L + 0.5L * square) / (1.0L + square);
  if (name == "power-exponential(1.9)") return std::exp(-0.5L * std::pow(distance / std::sqrt(phi), 1.9L));
  const bool is_smooth = name == "matern52";
  const long double s = std::sqrt((is_smooth ? 5.0L : 3.0L) / phi) * distance;
  return (1.0L + s + (is_smooth ? s * s / 3.0L : 0.0L)) * std::exp(-s);
}

long double long_correlation(const GpModel& model, const GpParameters& at, Index i, Index j) {
  const std::string name = model.covariance().spec();
  const long double shape = std::exp(static_cast<long double>(at.log_shape));
  long double product = 1.0L, ratio = 0.0L;
  for (Index d = 0; d < model.num_inputs(); ++d) {
    const long double distance = std::abs(static_cast<long double>(model.X()(i, d)) - model.X()(j, d));
    if (name == "rational-quadratic") {
      ratio += 0.5L * distance * distance / at.phi[d] / shape;
    } else {
      product *= long_factor(name, distance, at.phi[d]);
    }
  }
  return name == "rational-quadratic" ? std::exp(-shape * std::log1p(ratio)) : product;
}

}  // namespace

LongMatrix long_correlations(const GpModel& model, const GpParameters& at) {
  LongMatrix K(model.num_runs(), model.num_runs());
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) K(i, j) = K(j, i) = long_correlation(model, at, i, j);
  }
  return K;
}

LongImage long_image(const OutputTransform& transform, double y, const Vector& parameters) {
  const long double sign = transform.sign(), scale = transform.scale();
  const long double u = (sign * y - transform.origin()) / scale;
  switch (transform.kind()) {
    case TransformKind::none:
      break;
    case TransformKind::log:
      return {sign * std::log(u), 1.0L / (u * scale)};
    case TransformKind::box_cox: {
      const long double v = u + std::exp(static_cast<long double>(parameters[0])), lambda = parameters[1];
      const long double value = lambda == 0.0L ? std::log(v) : std::expm1(lambda * std::log(v)) / lambda;
      return {sign * value, std::pow(v, lambda - 1.0L) / scale};
    }
    case TransformKind::sinh_arcsinh: {
      const long double tail = std::exp(static_cast<long double>(parameters[0]));
      const long double w = tail * std::asinh(u) - parameters[1];
      return {std::sinh(w), std::cosh(w) * tail / std::sqrt(1.0L + u * u) / scale};
    }
  }
  return {y, 1.0L};
}

long double long_log_likelihood(const GpModel& model, const LongMatrix& K, const GpParameters& at) {
  const Index n = model.num_runs(), q = model.num_trend_columns(), flat = model.num_flat_columns();
  LongMatrix L = K;
  L.diagonal().array() += static_cast<long double>(at.nugget);
  const Eigen::LLT<LongMatrix> factor(L);
  LongMatrix columns(n, q + 1);
  columns.leftCols(q) = model.H().cast<long double>();
  long double log_slopes = 0.0L, log_det_K = 0.0L;
  for (Index i = 0; i < n; ++i) {
    const LongImage image = long_image(model.transform(), model.y()[i], at.transform);
    columns(i, q) = image.value;
    log_slopes += std::log(image.slope);
    log_det_K += 2.0L * std::log(factor.matrixL()(i, i));
  }
  factor.matrixL().solveInPlace(columns);
  const LongMatrix R = columns.householderQr().matrixQR().topRows(columns.cols());
  // Zellner's prior with g = n of what is not flat: the variance along such a column is 1 + g times the process's.
  const long double ratio = 1.0L / (1.0L + static_cast<long double>(n));
  long double S2 = R(q, q) * R(q, q), log_det_trend = 0.0L;
  for (Index r = 0; r < flat; ++r) log_det_trend += 2.0L * std::log(std::abs(R(r, r)));
  for (Index r = flat; r < q; ++r) S2 += ratio * R(r, q) * R(r, q);
  const auto m = static_cast<long double>(n - flat), half = 0.5L * m;
  return std::lgamma(half) - half * std::log(std::numbers::pi_v<long double>) - 0.5L * log_det_K -
         0.5L * log_det_trend - half * std::log(S2) + 0.5L * static_cast<long double>(q - flat) * std::log(ratio) +
         m / static_cast<long double>(n) * log_slopes;
}

namespace {

// By the logarithm of `parameter`, or by itself; it is one of `at`. A moved parameter is rounded, so the steps are
// those that were taken. Central differences of steps 2^-9 and 2^-10 and 2^-11, extrapolated as in
// finite_difference.hpp.
long double long_derivative(const GpModel& model, GpParameters& at, double& parameter, bool by_logarithm) {
  const double middle = parameter;
  const auto value_at = [&](double moved) {
    parameter = moved;
    return long_log_likelihood(model, long_correlations(model, at), at);
  };
  const auto central = [&](double step) {
    const double above = by_logarithm ? middle * std::exp(step) : middle + step;
    const double below = by_logarithm ? middle * std::exp(-step) : middle - step;
    const long double width =
        by_logarithm ? std::log(static_cast<long double>(above) / below) : static_cast<long double>(above) - below;
    return (value_at(above) - value_at(below)) / width;
  };
  const long double coarse = central(0x1p-9), fine = central(0x1p-10), finest = central(0x1p-11);
  parameter = middle;
  const long double first = (4.0L * fine - coarse) / 3.0L, second = (4.0L * finest - fine) / 3.0L;
  return (16.0L * second - first) / 15.0L;
}

}  // namespace

Vector long_gradient(const GpModel& model, const GpParameters& at) {
  GpParameters moved = at;
  std::vector<double> gradient;
  const auto add = [&](double& parameter, bool by_logarithm) {
    gradient.push_back(static_cast<double>(long_derivative(model, moved, parameter, by_logarithm)));
  };
  for (double& phi : moved.phi) add(phi, true);
  add(moved.nugget, true);
  if (model.covariance().shape()) add(moved.log_shape, false);
  for (double& parameter : moved.transform) add(parameter, false);
  return Eigen::Map<const Vector>(gradient.data(), static_cast<Index>(gradient.size()));
}

long double rounding_floor(const GpModel& model, const LongMatrix& K, const GpParameters& at) {
  const long double exact = long_log_likelihood(model, K, at);
  long double floor = 0.0L;
  for (std::uint64_t throw_number = 0; throw_number < 4; ++throw_number) {
    Stream stream({.seed = 11 + throw_number, .purpose = Purpose::design});
    LongMatrix moved = K;
    for (Index i = 0; i < K.rows(); ++i) {
      for (Index j = 0; j < i; ++j) {
        moved(i, j) *= 1.0L + (draw_uniform(stream) < 0.5 ? -0x1p-53L : 0x1p-53L);
        moved(j, i) = moved(i, j);
      }
    }
    floor = std::max(floor, std::abs(long_log_likelihood(model, moved, at) - exact));
  }
  return floor;
}

LongMatrix long_gram(const GpModel& model, const GpParameters& at, bool with_nugget) {
  const Index n = model.num_runs();
  const LongMatrix K = long_correlations(model, at);
  LongMatrix Q = (K + static_cast<long double>(at.nugget) * LongMatrix::Identity(n, n)).inverse();
  const LongMatrix H = model.H().cast<long double>();
  if (H.cols() > 0) Q -= (Q * H * (H.transpose() * Q * H).inverse() * H.transpose() * Q).eval();
  std::vector<LongMatrix> W;
  for (Index d = 0; d < model.num_inputs(); ++d) {
    const LongVector x = model.X().col(d).cast<long double>();
    const LongMatrix differences = x.replicate(1, n) - x.transpose().replicate(n, 1);
    W.push_back((0.5L / at.phi[d]) * K.cwiseProduct(differences.cwiseAbs2()) * Q);
  }
  if (with_nugget) W.push_back(Q);
  const auto count = static_cast<Index>(W.size());
  LongMatrix gram(count, count);
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      gram(i, j) = W[i].cwiseProduct(W[j].transpose()).sum() - W[i].trace() * W[j].trace() / model.residual_rank();
    }
  }
  return gram;
}

double long_information_root(const LongMatrix& gram, Index residual_rank) {
  const Eigen::LLT<LongMatrix> factor(gram);
  const LongVector pivots = LongMatrix(factor.matrixL()).diagonal();
  return static_cast<double>(0.5L * std::log(static_cast<long double>(residual_rank)) + pivots.array().log().sum());
}

}  // namespace ta2s2::test
