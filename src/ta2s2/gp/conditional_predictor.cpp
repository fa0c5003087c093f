#include "ta2s2/gp/conditional_predictor.hpp"

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/linalg/decompositions.hpp"

namespace ta2s2 {

namespace {

// What is left of a squared length by the rounding of a projection is far below, and that of any other run
// far above.
constexpr double kLeverageTolerance = 1e-24;

}  // namespace

ConditionalPredictor::ConditionalPredictor(const GpModel& model, const GpParameters& parameters)
    : model_(&model), parameters_(parameters) {
  if (factorise(model, parameters, factor_) != Impossible::no) {
    throw Error(ErrorCode::internal, "the correlation matrix of a posterior draw is not positive definite here");
  }
  Weights own = weights_of(factor_.residual, factor_.trend_coordinates);
  beta_hat_ = std::move(own.beta_hat);
  data_weights_ = std::move(own.data_weights);
}

ConditionalPredictor::Weights ConditionalPredictor::weights_of(Vector residual, const Vector& coordinates) const {
  const Vector& shares = model_->trend_shares();
  if (model_->has_proper_columns()) {
    residual += factor_.U * (1.0 - shares.array()).matrix().cwiseProduct(coordinates);
  }
  return {factor_.R.triangularView<Eigen::Upper>().solve(shares.cwiseProduct(coordinates)),
          factor_.L.triangularView<Eigen::Lower>().transpose().solve(residual)};
}

ConditionalPredictor::Whitened ConditionalPredictor::whiten(Matrix cross, const Matrix& H_new) const {
  Whitened whitened{std::move(cross), H_new.transpose()};
  factor_.L.triangularView<Eigen::Lower>().solveInPlace(whitened.G);
  if (whitened.E.rows() == 0) return whitened;  // Eigen would form the address of an empty matrix's data
  factor_.R.triangularView<Eigen::Upper>().transpose().solveInPlace(whitened.E);
  whitened.E.noalias() -= factor_.U.transpose() * whitened.G;
  if (model_->has_proper_columns()) {
    whitened.E.array().colwise() *= model_->trend_shares().array().sqrt();
  }
  return whitened;
}

// (2.12), (2.13), with the trend.
void ConditionalPredictor::predict(MatrixView X_new, Vector& mean, Vector& c) const {
  Matrix cross;
  model_->covariance().fill_cross(model_->X(), X_new, parameters_, cross);
  predict_functionals(std::move(cross), model_->trend().columns(X_new), Vector::Ones(X_new.rows()), mean, c);
}

void ConditionalPredictor::predict_functionals(Matrix cross, const Matrix& H_new, const Vector& prior, Vector& mean,
                                               Vector& c) const {
  mean.noalias() = cross.transpose() * data_weights_;
  mean.noalias() += H_new * beta_hat_;
  const Whitened at = whiten(std::move(cross), H_new);
  const auto told = at.G.colwise().squaredNorm().transpose().array();
  c = (prior.array() - told + at.E.colwise().squaredNorm().transpose().array()).max(0.0);
}

ConditionalPredictor::Points ConditionalPredictor::at(MatrixView X_new) const {
  Matrix cross;
  model_->covariance().fill_cross(model_->X(), X_new, parameters_, cross);
  const Matrix H_new = model_->trend().columns(X_new);
  Vector mean = cross.transpose() * data_weights_;
  mean.noalias() += H_new * beta_hat_;
  Whitened whitened = whiten(std::move(cross), H_new);
  return {X_new, std::move(whitened.G), std::move(whitened.E), std::move(mean)};
}

Matrix ConditionalPredictor::covariance(const Points& a, const Points& b) const {
  Matrix c;
  model_->covariance().fill_cross(a.X, b.X, parameters_, c);
  c.noalias() -= a.G.transpose() * b.G;
  c.noalias() += a.E.transpose() * b.E;
  return c;
}

Vector ConditionalPredictor::variance(const Points& points) const {
  const auto told = points.G.colwise().squaredNorm().transpose().array();
  return (1.0 - told + points.E.colwise().squaredNorm().transpose().array()).max(0.0);
}

Matrix ConditionalPredictor::covariance(MatrixView X_a, MatrixView X_b) const {
  return covariance(at(X_a), at(X_b));
}

ConditionalPredictor::Weights ConditionalPredictor::weights_for(Vector y) const {
  factor_.L.triangularView<Eigen::Lower>().solveInPlace(y);
  Vector coordinates;
  project_out(factor_.U, y, coordinates);
  return weights_of(std::move(y), coordinates);
}

// In the coordinates of U a proper coefficient has variance g = share / (1 - share).
Vector ConditionalPredictor::prior_coefficients(const Vector& normals) const {
  Vector coordinates = Vector::Zero(normals.size());
  for (Index i = model_->num_flat_columns(); i < normals.size(); ++i) {
    const double share = model_->trend_shares()[i];
    coordinates[i] = std::sqrt(share / (1.0 - share)) * normals[i];
  }
  return factor_.R.triangularView<Eigen::Upper>().solve(coordinates);
}

// Without run i (Dubrule 1983; also with flat beta): residual (Q y)_i / Q_ii, c(x_i, x_i) + nugget = 1 /
// Q_ii, and S2 - (Q y)_i^2 / Q_ii. With P P = L' Q L, a = P L^-1 e_i and r = P L^-1 y these are Q_ii = a'a, (Q y)_i =
// a'r, and the last is the squared length of r without its part along a, found so that nothing is subtracted. P takes
// away all that lies along a flat column of U, and 1 - sqrt(1 - share) of it along the others.
ConditionalPredictor::LeaveOneOut ConditionalPredictor::leave_one_out() const {
  const Index n = model_->num_runs();
  Matrix A = Matrix::Identity(n, n);
  factor_.L.triangularView<Eigen::Lower>().solveInPlace(A);
  const Vector unprojected = A.colwise().squaredNorm();
  const Vector kept = (1.0 - model_->trend_shares().array()).sqrt();
  const Vector removed = 1.0 - kept.array();
  A -= factor_.U * (removed.asDiagonal() * (factor_.U.transpose() * A)).eval();
  Vector residual = factor_.residual;
  if (model_->has_proper_columns()) residual += factor_.U * kept.cwiseProduct(factor_.trend_coordinates);

  LeaveOneOut result{Vector(n), Vector(n), degrees_of_freedom() - 1};
  const double df = static_cast<double>(result.degrees_of_freedom);
  for (Index i = 0; i < n; ++i) {
    const double Q_ii = A.col(i).squaredNorm();
    if (Q_ii <= kLeverageTolerance * unprojected[i]) {
      result.mean[i] = 0.0;
      result.scale2[i] = kInfinity;
      continue;
    }
    const double step = A.col(i).dot(residual) / Q_ii;
    result.mean[i] = factor_.output[i] - step;
    result.scale2[i] = (residual - step * A.col(i)).squaredNorm() / (df * Q_ii);
  }
  return result;
}

}  // namespace ta2s2
