// Correlation k_phi between runs, docs/math.md, section 1: a product over inputs; phi_d is a length-scale squared.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// A covariance computes one column chunk at a time; the loops over a whole matrix are here, once.
class Covariance {
 public:
  virtual ~Covariance() = default;

  virtual std::string spec() const = 0;  // as the option spells it: "power-exponential(1.9)"

  // K(i, j) = k(X.row(i), X.row(j)): (n, n), symmetric, unit diagonal, no nugget. phi positive and finite.
  void fill(MatrixView X, VectorView phi, Matrix& K) const;

  // T(i, j) = k(X.row(i), W.row(j)): (n, m).
  void fill_cross(MatrixView X, MatrixView W, VectorView phi, Matrix& T) const;

  // dK = dK / dlog phi_d, elementwise K times the logarithmic derivative; K as `fill` left it.
  void fill_derivative(MatrixView X, VectorView phi, const Matrix& K, Index d, Matrix& dK) const;

  // sums[d] = sum over i > j of weights(i, j) dlog k(x_i, x_j) / dlog phi_d; only the lower triangle of weights is
  // read.
  void sum_log_derivatives(MatrixView X, VectorView phi, const Matrix& weights, Vector& sums) const;

  // The same correlation as the SIMD kernels compute it (simd/correlation.hpp): s_d is a weight of phi_d times
  // feature(|x_d - w_d|), and log2 of the weight is linear in log phi_d.
  virtual CorrelationForm form() const = 0;
  virtual PairFeature pair_feature() const = 0;
  virtual double feature(double distance) const = 0;
  struct LogWeight {
    double base, slope;

    double at(double log_phi) const { return base + slope * log_phi; }
  };
  virtual LogWeight log2_weight() const = 0;
  // c with dlog k/dlog phi_d = c times what the form alone would give for s_d proportional to 1/phi_d (exponential) or
  // to 1/sqrt(phi_d) (Matern).
  virtual double derivative_scale() const { return 1.0; }

  // c of CorrelationForm::rational.
  virtual double constant_share() const { return 0.0; }

  // A frequency omega with E cos(omega r / sqrt(phi)) = the factor of one input at distance r (Bochner): a process is a
  // sum of waves of such frequencies.
  virtual double draw_frequency(Stream& stream) const = 0;

 protected:
  // Chunks live on the stack, so that filling a matrix allocates nothing and no result depends on an address.
  static constexpr Index kChunk = 64;
  using Chunk = Eigen::Array<double, Eigen::Dynamic, 1, 0, kChunk, 1>;
  using RowView = Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>;

  // out(i) = k(X.row(i), w), for at most kChunk rows.
  virtual void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const = 0;

  // distance(i) = |x_d - w_d| on entry, dlog k / dlog phi_d on return.
  virtual void log_derivative(double phi_d, Chunk& distance) const = 0;
};

std::unique_ptr<Covariance> make_covariance(const std::string& spec);  // Error{usage} on an unknown one

std::vector<std::string> covariance_names();     // as help shows them: "power-exponential(alpha)"
std::vector<std::string> covariance_examples();  // one valid spec of each

}  // namespace ta2s2
