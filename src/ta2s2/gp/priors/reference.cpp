// Reference prior (Paulo 2005), docs/math.md, section 2: |I|^(1/2) with I = [[m, tr W_i], [., tr W_i W_j]] and
// W_i = (dK/dz_i) Q, the derivatives in sampling coordinates: a density in z, Jacobian included.
//
// With K_delta = L L' and P = I - U U' we have Q = L^-T P L^-1, and W_i has the traces of the symmetric
// A_i = P L^-1 (dK/dz_i) L^-T P: tr W_i = tr A_i and tr W_i W_j = <A_i, A_j>. Hence |I| = m |<B_i, B_j>| with
// the traceless B_i = A_i - (tr A_i / m) P, and |I|^(1/2) is sqrt(m) times the volume that the B_i span:
// found from their orthogonalisation, which does not square the condition as the matrix I itself would.
#include <cmath>
#include <numbers>

#include "ta2s2/gp/detail/orthonormal_columns.hpp"
#include "ta2s2/gp/integrated_posterior.hpp"
#include "ta2s2/gp/priors/joint_priors.hpp"

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

class Reference final : public Prior {
 public:
  Reference(Index num_inputs, ReferenceOver over) : p_(num_inputs), over_(over) {}

  std::string spec() const override { return covers_nugget() ? "reference(joint)" : "reference"; }
  Index dim() const override { return p_ + (covers_nugget() ? 1 : 0); }
  bool is_proper() const override { return false; }
  bool needs_factor() const override { return true; }
  bool covers_nugget() const override { return over_ == ReferenceOver::length_scales_and_nugget; }

  double log_density_at(const FactorisedPoint& point) const override {
    const Index n = point.model.num_runs();
    Matrix& A = point.scratch.derivative;
    Matrix& roots = point.scratch.information_root;
    roots.resize(n * (n + 1) / 2, dim());
    for (Index i = 0; i < dim(); ++i) {
      fill_derivative(point, i, A);
      whiten(point.factor.L, A);
      project_and_centre(point.factor.U, A);
      pack(A, roots.col(i));
    }
    detail::orthonormalise(roots, point.scratch.triangle);
    const double m = static_cast<double>(point.model.residual_rank());
    return 0.5 * std::log(m) + point.scratch.triangle.diagonal().array().log().sum();
  }

 private:
  void fill_derivative(const FactorisedPoint& point, Index i, Matrix& A) const {
    if (i < p_) {
      point.model.covariance().fill_derivative(point.model.X(), point.parameters.phi, point.factor.K, i, A);
    } else {
      A = Matrix::Identity(point.factor.K.rows(), point.factor.K.cols()) * std::exp(log_nugget_jacobian(point.z[p_]));
    }
  }

  Index p_;
  ReferenceOver over_;
};

}  // namespace

std::unique_ptr<Prior> make_reference_prior(Index num_inputs, ReferenceOver over) {
  return std::make_unique<Reference>(num_inputs, over);
}

}  // namespace ta2s2
