// k = prod_d (1 + s + s^2/3) exp(-s), s = sqrt(5) |x_d - w_d| / sqrt(phi_d): one exp per pair of points.
#include <cmath>
#include <numbers>

#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

// The product of polynomials may overflow where the exponential has vanished already (Eigen's stops at
// 6e-309). As 1 + s + s^2/3 <= exp(s), the bound is reached only beyond an exponent of 345, where it makes
// the correlation zero to rounding, as it is for any number of inputs below some hundreds.
constexpr double kLargestProduct = 1e150;

class Matern52 final : public Covariance {
 public:
  std::string spec() const override { return "matern52"; }

  CorrelationForm form() const override { return CorrelationForm::matern52; }
  PairFeature pair_feature() const override { return PairFeature::distance; }
  double feature(double distance) const override { return distance; }
  LogWeight log2_weight() const override { return {0.5 * std::log2(5.0), -0.5 * std::numbers::log2e}; }

  // Student t with 5 degrees of freedom.
  double draw_frequency(Stream& stream) const override {
    return draw_normal(stream) / std::sqrt(draw_gamma(stream, 5.0 / 2.0) / (5.0 / 2.0));
  }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const override {
    Chunk exponent = Chunk::Zero(X.rows());
    out.setOnes(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      const Chunk s = (X.col(d).array() - w[d]).abs() * std::sqrt(5.0 / phi[d]);
      exponent += s;
      out *= 1.0 + s + s.square() / 3.0;
    }
    out = out.min(kLargestProduct) * (-exponent).exp();
  }

  // ds/dlog phi = -s/2 and dlog k/ds = -(s/3) (1 + s) / (1 + s + s^2/3).
  void log_derivative(double phi_d, Chunk& distance) const override {
    const Chunk s = distance * std::sqrt(5.0 / phi_d);
    distance = s.square() * (1.0 + s) / (6.0 * (1.0 + s) + 2.0 * s.square());
  }
};

}  // namespace

std::unique_ptr<Covariance> make_matern52() {
  return std::make_unique<Matern52>();
}

}  // namespace ta2s2
