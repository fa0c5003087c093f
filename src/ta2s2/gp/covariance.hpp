// Correlation k_phi between runs, docs/math.md, section 1; phi_d is a length-scale squared. All but the rational
// quadratic are products over inputs.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// What a correlation is evaluated at. The length-scales alone do where there is no shape.
struct CorrelationParameters {
  VectorView phi;
  double shape = 1.0;  // of a correlation that has one

  template <typename Derived>
  CorrelationParameters(const Eigen::MatrixBase<Derived>& phi_alone) : phi(phi_alone) {}  // NOLINT(*-explicit-*)
  CorrelationParameters(const GpParameters& all)
      : phi(all.phi), shape(std::exp(all.log_shape)) {}  // NOLINT(*-explicit-*)
};

// A covariance computes one column chunk at a time; the loops over a whole matrix are here, once.
class Covariance {
 public:
  virtual ~Covariance() = default;

  virtual std::string spec() const = 0;  // as the option spells it: "power-exponential(1.9)"

  // The coordinate of its shape's logarithm, if it has one; and whether it is a product over inputs.
  virtual std::optional<NormalCoordinate> shape() const { return std::nullopt; }
  virtual bool is_product() const { return true; }

  // K(i, j) = k(X.row(i), X.row(j)): (n, n), symmetric, unit diagonal, no nugget. phi positive and finite.
  void fill(MatrixView X, const CorrelationParameters& at, Matrix& K) const;

  // T(i, j) = k(X.row(i), W.row(j)): (n, m).
  void fill_cross(MatrixView X, MatrixView W, const CorrelationParameters& at, Matrix& T) const;

  // dK = dK / dlog phi_d, or dK / dlog shape for d = p: elementwise K times the logarithmic derivative; K as `fill`
  // left it.
  void fill_derivative(MatrixView X, const CorrelationParameters& at, const Matrix& K, Index d, Matrix& dK) const;

  // sums[d] = sum over i > j of weights(i, j) dlog k(x_i, x_j) / dlog phi_d, and last that of the shape, if there is
  // one; only the lower triangle of weights is read.
  void sum_log_derivatives(MatrixView X, const CorrelationParameters& at, const Matrix& weights, Vector& sums) const;

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

  // Frequencies omega, a row for each of as many waves as `frequencies` has rows, with E cos(omega'(x - w)) = k(x, w)
  // (Bochner): a process is a sum of such waves.
  virtual void draw_frequencies(const CorrelationParameters& at, Stream& stream, Matrix& frequencies) const = 0;

 protected:
  // Chunks live on the stack, so that filling a matrix allocates nothing and no result depends on an address.
  static constexpr Index kChunk = 64;
  using Chunk = Eigen::Array<double, Eigen::Dynamic, 1, 0, kChunk, 1>;
  using RowView = Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>;

  // out(i) = k(X.row(i), w), for at most kChunk rows.
  virtual void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const = 0;

  // out(i) = dlog k(X.row(i), w) / dlog phi_d, or / dlog shape for d = p.
  virtual void log_derivative(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Index d,
                              Chunk& out) const = 0;
};

std::unique_ptr<Covariance> make_covariance(const std::string& spec);  // Error{usage} on an unknown one

std::vector<std::string> covariance_names();     // as help shows them: "power-exponential(alpha)"
std::vector<std::string> covariance_examples();  // one valid spec of each

}  // namespace ta2s2
