#include "ta2s2/gp/integrated_posterior.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/gp/detail/orthonormal_columns.hpp"
#include "ta2s2/linalg/cholesky.hpp"
#include "ta2s2/simd/correlation.hpp"

namespace ta2s2 {

Impossible factorise(const GpModel& model, const GpParameters& parameters, GpFactor& factor) {
  model.covariance().fill(model.X(), parameters.phi, factor.K);
  factor.L = factor.K;
  factor.L.diagonal().array() += parameters.nugget;
  const CholeskyStatus status = cholesky_in_place(factor.L);
  if (status == CholeskyStatus::not_positive_definite) return Impossible::not_positive_definite;
  if (status == CholeskyStatus::not_finite) return Impossible::not_finite;
  if (factor.L.diagonal().minCoeff() <= kLeastRoot) return Impossible::not_positive_definite;

  const auto L = factor.L.triangularView<Eigen::Lower>();
  factor.U = model.H();
  if (factor.U.cols() > 0) L.solveInPlace(factor.U);  // Eigen would form the address of an empty matrix's data
  detail::orthonormalise(factor.U, factor.R);
  factor.residual = model.y();
  L.solveInPlace(factor.residual);
  detail::project_out(factor.U, factor.residual, factor.trend_coordinates);

  factor.log_det_K = cholesky_log_determinant(factor.L);
  factor.log_det_trend = 2.0 * factor.R.diagonal().head(model.num_flat_columns()).array().log().sum();
  factor.S2 = factor.residual.squaredNorm();
  if (model.has_proper_columns()) {
    factor.S2 += ((1.0 - model.trend_shares().array()) * factor.trend_coordinates.array().square()).sum();
  }
  const bool finite = std::isfinite(factor.log_det_K) && std::isfinite(factor.log_det_trend) &&
                      std::isfinite(factor.S2) && factor.S2 > 0.0;
  return finite ? Impossible::no : Impossible::not_finite;
}

// 1 - share = 1/(1 + g).
double log_prior_volume(const GpModel& model) {
  return 0.5 *
         (1.0 - model.trend_shares().array()).tail(model.num_trend_columns() - model.num_flat_columns()).log().sum();
}

double log_likelihood(const GpModel& model, const GpFactor& factor) {
  const double half = 0.5 * static_cast<double>(model.degrees_of_freedom());
  const double shared = -0.5 * factor.log_det_K - half * std::log(factor.S2);
  if (model.exponent() == Exponent::paper) return shared;  // paper note 4
  return shared + log_prior_volume(model) - 0.5 * factor.log_det_trend + boost::math::lgamma(half) -
         half * std::log(std::numbers::pi);
}

}  // namespace ta2s2
