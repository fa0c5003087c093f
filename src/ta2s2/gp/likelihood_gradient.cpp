#include "ta2s2/gp/likelihood_gradient.hpp"

#include "ta2s2/linalg/cholesky.hpp"

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

}  // namespace

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
  model.covariance().sum_log_derivatives(model.X(), parameters.phi, weights, out.by_log_phi);
  out.by_log_phi = -out.by_log_phi;
}

}  // namespace ta2s2
