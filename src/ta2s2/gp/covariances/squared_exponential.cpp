// (2.3): k = exp(-1/2 sum_d (x_d - w_d)^2 / phi_d).
#include <numbers>

#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

class SquaredExponential final : public Covariance {
 public:
  std::string spec() const override { return "squared-exponential"; }

  CorrelationForm form() const override { return CorrelationForm::exponential; }
  PairFeature pair_feature() const override { return PairFeature::squared_distance; }
  double feature(double distance) const override { return distance * distance; }
  LogWeight log2_weight() const override { return {-1.0, -std::numbers::log2e}; }

  double draw_frequency(Stream& stream) const override { return draw_normal(stream); }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const override {
    out.setZero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) out += (X.col(d).array() - w[d]).square() * (0.5 / phi[d]);
    out = (-out).exp();
  }

  void log_derivative(double phi_d, Chunk& distance) const override { distance = distance.square() * (0.5 / phi_d); }
};

}  // namespace

std::unique_ptr<Covariance> make_squared_exponential() {
  return std::make_unique<SquaredExponential>();
}

}  // namespace ta2s2
