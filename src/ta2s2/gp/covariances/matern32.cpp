// k = prod_d (1 + s) exp(-s), s = sqrt(3) |x_d - w_d| / sqrt(phi_d): one exp per pair of points.
#include <cmath>
#include <numbers>

#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

// As for Matern 5/2: 1 + s <= exp(s), so a product beyond this bound meets an exponential that has vanished.
constexpr double kLargestProduct = 1e150;

class Matern32 final : public Covariance {
 public:
  std::string spec() const override { return "matern32"; }

  CorrelationForm form() const override { return CorrelationForm::matern32; }
  PairFeature pair_feature() const override { return PairFeature::distance; }
  double feature(double distance) const override { return distance; }
  LogWeight log2_weight() const override { return {0.5 * std::log2(3.0), -0.5 * std::numbers::log2e}; }

  // Student t with 3 degrees of freedom.
  double draw_frequency(Stream& stream) const override {
    return draw_normal(stream) / std::sqrt(draw_gamma(stream, 3.0 / 2.0) / (3.0 / 2.0));
  }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const override {
    Chunk exponent = Chunk::Zero(X.rows());
    out.setOnes(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      const Chunk s = (X.col(d).array() - w[d]).abs() * std::sqrt(3.0 / phi[d]);
      exponent += s;
      out *= 1.0 + s;
    }
    out = out.min(kLargestProduct) * (-exponent).exp();
  }

  // ds/dlog phi = -s/2 and dlog k/ds = -s / (1 + s).
  void log_derivative(double phi_d, Chunk& distance) const override {
    const Chunk s = distance * std::sqrt(3.0 / phi_d);
    distance = s.square() / (2.0 * (1.0 + s));
  }
};

}  // namespace

std::unique_ptr<Covariance> make_matern32() {
  return std::make_unique<Matern32>();
}

}  // namespace ta2s2
