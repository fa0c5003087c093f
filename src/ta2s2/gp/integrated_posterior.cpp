#include "ta2s2/gp/integrated_posterior.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/linalg/decompositions.hpp"
#include "ta2s2/simd/correlation.hpp"

namespace ta2s2 {
namespace {

// The lower triangle of G = K_delta^-1 - T T' - (m / S2) alpha alpha', where T = L^-T U and alpha = L^-T residual. With
// coefficients of a proper prior T is that of the flat columns, and alpha alpha' is share times this one and 1 - share
// times that of the flat columns alone.
void fill_weights(const GpModel& model, const GpFactor& factor, GradientScratch& scratch) {
  cholesky_inverse(factor.L, scratch.inverse_factor, scratch.weights);
  const auto transposed = scratch.inverse_factor.transpose().triangularView<Eigen::Upper>();
  const double share = model.has_proper_columns() ? model.trend_shares().tail(1)[0] : 1.0;
  const double factor_of_square = static_cast<double>(model.degrees_of_freedom()) / factor.S2;
  auto G = scratch.weights.selfadjointView<Eigen::Lower>();
  scratch.alpha.noalias() = transposed * factor.residual;
  G.rankUpdate(scratch.alpha, -factor_of_square * share);
  if (model.has_proper_columns()) {
    const Index proper = model.num_trend_columns() - model.num_flat_columns();
    const Vector along = factor.U.rightCols(proper) * factor.trend_coordinates.tail(proper);
    scratch.alpha += transposed * along;
    G.rankUpdate(scratch.alpha, -factor_of_square * (1.0 - share));
  }
  if (model.num_flat_columns() == 0) return;
  scratch.trend.noalias() = transposed * factor.U.leftCols(model.num_flat_columns());
  G.rankUpdate(scratch.trend, -1.0);
}

// d log p / dtau = -(m / S2) (Q y)' dy/dtau + (m / n) sum_i dlog g'(y_i)/dtau, with y the transformed outputs. Q y is
// L^-T times the residual and what a proper prior leaves of the trend.
void differentiate_transform(const GpModel& model, const GpParameters& parameters, const GpFactor& factor,
                             GradientScratch& scratch, Vector& out) {
  const OutputTransform& transform = model.transform();
  out.setZero(transform.num_parameters());
  if (out.size() == 0) return;
  Vector whitened = factor.residual;
  if (model.has_proper_columns()) {
    whitened += factor.U * ((1.0 - model.trend_shares().array()) * factor.trend_coordinates.array()).matrix();
  }
  const double factor_of_square = static_cast<double>(model.degrees_of_freedom()) / factor.S2;
  scratch.alpha.noalias() = scratch.inverse_factor.transpose().triangularView<Eigen::Upper>() * whitened;
  for (Index i = 0; i < model.num_runs(); ++i) {
    const auto d = transform.derivatives(model.y()[i], parameters.transform.data());
    for (Index k = 0; k < out.size(); ++k) {
      out[k] +=
          model.jacobian_share(model.num_runs()) * d.log_slope[k] - factor_of_square * scratch.alpha[i] * d.value[k];
    }
  }
}

}  // namespace

Impossible factorise(const GpModel& model, const GpParameters& parameters, GpFactor& factor) {
  factor.log_jacobian = model.transform_outputs(parameters.transform, factor.output);
  model.covariance().fill(model.X(), parameters, factor.K);
  factor.L = factor.K;
  factor.L.diagonal().array() += parameters.nugget;
  const CholeskyStatus status = cholesky_in_place(factor.L);
  if (status == CholeskyStatus::not_positive_definite) return Impossible::not_positive_definite;
  if (status == CholeskyStatus::not_finite) return Impossible::not_finite;
  if (factor.L.diagonal().minCoeff() <= kLeastRoot) return Impossible::not_positive_definite;

  const auto L = factor.L.triangularView<Eigen::Lower>();
  factor.U = model.H();
  if (factor.U.cols() > 0) L.solveInPlace(factor.U);  // Eigen would form the address of an empty matrix's data
  orthonormalise(factor.U, factor.R);
  factor.residual = factor.output;
  L.solveInPlace(factor.residual);
  project_out(factor.U, factor.residual, factor.trend_coordinates);

  factor.log_det_K = cholesky_log_determinant(factor.L);
  factor.log_det_trend = 2.0 * factor.R.diagonal().head(model.num_flat_columns()).array().log().sum();
  factor.S2 = factor.residual.squaredNorm();
  if (model.has_proper_columns()) {
    factor.S2 += ((1.0 - model.trend_shares().array()) * factor.trend_coordinates.array().square()).sum();
  }
  const bool finite = std::isfinite(factor.log_det_K) && std::isfinite(factor.log_det_trend) &&
                      std::isfinite(factor.S2) && factor.S2 > 0.0 && std::isfinite(factor.log_jacobian);
  return finite ? Impossible::no : Impossible::not_finite;
}

double log_prior_volume(const GpModel& model, Index num_runs) {
  const auto proper = static_cast<double>(model.num_trend_columns() - model.num_flat_columns());
  return -0.5 * proper * std::log1p(static_cast<double>(num_runs));
}

double log_likelihood(const GpModel& model, const GpFactor& factor) {
  const double half = 0.5 * static_cast<double>(model.degrees_of_freedom());
  const double shared = -0.5 * factor.log_det_K - half * std::log(factor.S2);
  if (model.exponent() == Exponent::paper) return shared;  // paper note 4
  return shared + log_prior_volume(model, model.num_runs()) - 0.5 * factor.log_det_trend + boost::math::lgamma(half) -
         half * std::log(std::numbers::pi) + factor.log_jacobian;
}

// Both triangles alike: half of <G, dK> is the sum over one of them, and dK/dlog phi_d has no diagonal.
void log_likelihood_gradient(const GpModel& model, const GpParameters& parameters, const GpFactor& factor,
                             GradientScratch& scratch, LikelihoodGradient& out) {
  fill_weights(model, factor, scratch);
  Matrix& weights = scratch.weights;
  out.by_nugget = -0.5 * weights.diagonal().sum();
  for (Index j = 0; j < weights.cols(); ++j) {
    const Index below = weights.rows() - j - 1;
    weights.col(j).tail(below).array() *= factor.K.col(j).tail(below).array();
  }
  Vector sums;
  model.covariance().sum_log_derivatives(model.X(), parameters, weights, sums);
  out.by_log_phi = -sums.head(model.num_inputs());
  if (sums.size() > model.num_inputs()) out.by_log_shape = -sums[model.num_inputs()];
  differentiate_transform(model, parameters, factor, scratch, out.by_transform);
}

}  // namespace ta2s2
