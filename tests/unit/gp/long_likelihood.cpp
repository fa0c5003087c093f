#include "unit/gp/long_likelihood.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2::test {
namespace {

long double long_correlation(const GpModel& model, const GpParameters& at, Index i, Index j) {
  const std::string name = model.covariance().spec();
  long double exponent = 0.0L, product = 1.0L;
  for (Index d = 0; d < model.num_inputs(); ++d) {
    const long double distance = std::abs(static_cast<long double>(model.X()(i, d)) - model.X()(j, d));
    const long double phi = at.phi[d];
    if (name == "squared-exponential") {
      exponent += 0.5L * distance * distance / phi;
    } else if (name == "matern52") {
      const long double s = std::sqrt(5.0L / phi) * distance;
      exponent += s;
      product *= 1.0L + s + s * s / 3.0L;
    } else if (name == "matern32") {
      const long double s = std::sqrt(3.0L / phi) * distance;
      exponent += s;
      product *= 1.0L + s;
    } else if (name == "rational(0.5)") {
      const long double s = 0.5L * distance * distance / phi;
      product *= (1.0L + 0.5L * s) / (1.0L + s);
    } else {
      exponent += 0.5L * std::pow(distance / std::sqrt(phi), 1.9L);  // power-exponential(1.9)
    }
  }
  return product * std::exp(-exponent);
}

}  // namespace

LongMatrix long_correlations(const GpModel& model, const GpParameters& at) {
  LongMatrix K(model.num_runs(), model.num_runs());
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) K(i, j) = K(j, i) = long_correlation(model, at, i, j);
  }
  return K;
}

long double long_log_likelihood(const GpModel& model, const LongMatrix& K, double nugget) {
  LongMatrix L = K;
  L.diagonal().array() += static_cast<long double>(nugget);
  const Eigen::LLT<LongMatrix> factor(L);
  LongMatrix columns(model.num_runs(), model.num_trend_columns() + 1);
  columns << model.H().cast<long double>(), model.y().cast<long double>();
  factor.matrixL().solveInPlace(columns);
  const LongMatrix R = columns.householderQr().matrixQR().topRows(columns.cols());
  const Index q = model.num_trend_columns();
  long double log_det_trend = 0.0L, log_det_K = 0.0L;
  for (Index r = 0; r < q; ++r) log_det_trend += 2.0L * std::log(std::abs(R(r, r)));
  for (Index i = 0; i < L.rows(); ++i) log_det_K += 2.0L * std::log(factor.matrixL()(i, i));
  const long double half = 0.5L * static_cast<long double>(model.residual_rank());
  return std::lgamma(half) - half * std::log(std::numbers::pi_v<long double>) - 0.5L * log_det_K -
         0.5L * log_det_trend - half * 2.0L * std::log(std::abs(R(q, q)));
}

namespace {

// By the logarithm of `parameter`, which is one of `at`. A moved parameter is rounded, so the steps are those that were
// taken. Central differences of steps 2^-9 and 2^-10 and 2^-11, extrapolated as in finite_difference.hpp.
long double long_derivative(const GpModel& model, GpParameters& at, double& parameter) {
  const double middle = parameter;
  const auto value_at = [&](double moved) {
    parameter = moved;
    return long_log_likelihood(model, long_correlations(model, at), at.nugget);
  };
  const auto central = [&](double step) {
    const double above = middle * std::exp(step), below = middle * std::exp(-step);
    return (value_at(above) - value_at(below)) / std::log(static_cast<long double>(above) / below);
  };
  const long double coarse = central(0x1p-9), fine = central(0x1p-10), finest = central(0x1p-11);
  parameter = middle;
  const long double first = (4.0L * fine - coarse) / 3.0L, second = (4.0L * finest - fine) / 3.0L;
  return (16.0L * second - first) / 15.0L;
}

}  // namespace

Vector long_gradient(const GpModel& model, const GpParameters& at) {
  GpParameters moved = at;
  Vector gradient(model.num_inputs() + 1);
  for (Index d = 0; d < model.num_inputs(); ++d) {
    gradient[d] = static_cast<double>(long_derivative(model, moved, moved.phi[d]));
  }
  gradient[model.num_inputs()] = static_cast<double>(long_derivative(model, moved, moved.nugget));
  return gradient;
}

long double rounding_floor(const GpModel& model, const LongMatrix& K, double nugget) {
  const long double exact = long_log_likelihood(model, K, nugget);
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
    floor = std::max(floor, std::abs(long_log_likelihood(model, moved, nugget) - exact));
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
