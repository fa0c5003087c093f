#include "ta2s2/gp/reference_information.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "ta2s2/linalg/decompositions.hpp"

namespace ta2s2 {

namespace {

// A = L^-1 A L^-T for symmetric A.
void whiten(const Matrix& L, Matrix& A) {
  const auto lower = L.triangularView<Eigen::Lower>();
  lower.solveInPlace(A);
  A.transposeInPlace();
  lower.solveInPlace(A);
}

// A = P A P - (tr(P A P) / m) P with P = I - U U'.
void project_and_centre(const Matrix& U, Matrix& A) {
  A -= U * (U.transpose() * A).eval();
  A -= (A * U).eval() * U.transpose();
  const double mean = A.trace() / static_cast<double>(A.rows() - U.cols());
  A.diagonal().array() -= mean;
  A += mean * U * U.transpose();
}

// Lower triangle by columns, off-diagonals times sqrt(2): a dot product is then the trace of a product.
void pack(const Matrix& A, Eigen::Ref<Vector> out) {
  Index offset = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    const Index length = A.rows() - j;
    out.segment(offset, length) = std::numbers::sqrt2 * A.col(j).tail(length);
    out[offset] = A(j, j);
    offset += length;
  }
}

void fill_direction(const GpModel& model, const GpParameters& parameters, const GpFactor& factor, Index i, Matrix& A) {
  if (i < model.num_inputs()) {
    model.covariance().fill_derivative(model.X(), parameters, factor.K, i, A);
  } else {
    A.setIdentity(factor.K.rows(), factor.K.cols());
  }
}

}  // namespace

double log_information_root(const GpModel& model, const GpParameters& parameters, const GpFactor& factor,
                            InformationOver over, InformationScratch& scratch) {
  const Index n = model.num_runs();
  const Index directions = model.num_inputs() + (over == InformationOver::length_scales_and_nugget ? 1 : 0);
  scratch.roots.resize(n * (n + 1) / 2, directions);
  for (Index i = 0; i < directions; ++i) {
    fill_direction(model, parameters, factor, i, scratch.derivative);
    whiten(factor.L, scratch.derivative);
    project_and_centre(factor.U, scratch.derivative);
    pack(scratch.derivative, scratch.roots.col(i));
  }
  orthonormalise(scratch.roots, scratch.triangle);
  const double m = static_cast<double>(model.residual_rank());
  return 0.5 * std::log(m) + scratch.triangle.diagonal().array().log().sum();
}

double log_information_root(const Matrix& gram, Index residual_rank) {
  // A pivot of the scaled products is a squared sine; its error is that of the products, some 1e-15.
  constexpr double kLeastSquaredSine = 1e-5;
  const Vector lengths = gram.diagonal().cwiseSqrt();
  Matrix scaled = lengths.cwiseInverse().asDiagonal() * gram * lengths.cwiseInverse().asDiagonal();
  const Eigen::LLT<Eigen::Ref<Matrix>> factor(scaled);
  const Vector sines = scaled.diagonal();
  if (factor.info() != Eigen::Success || !(sines.array().square() > kLeastSquaredSine).all()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return 0.5 * std::log(static_cast<double>(residual_rank)) + sines.array().log().sum() + lengths.array().log().sum();
}

}  // namespace ta2s2
