// k = exp(-1/2 sum_d |x_d - w_d|^alpha / phi_d^(alpha/2)), 0 < alpha <= 2: (2.3) at alpha = 2.
#include <cmath>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

class PowerExponential final : public Covariance {
 public:
  explicit PowerExponential(double alpha) : alpha_(alpha) {
    if (alpha > 0.0 && alpha <= 2.0) return;
    throw Error(ErrorCode::usage,
                "the power of power-exponential(alpha) must be above 0 and at most 2, not " + format_number(alpha));
  }

  std::string spec() const override { return format_spec("power-exponential", {alpha_}); }

  CorrelationForm form() const override { return CorrelationForm::exponential; }
  PairFeature pair_feature() const override { return PairFeature::table; }
  double feature(double distance) const override { return std::pow(distance, alpha_); }
  LogWeight log2_weight() const override { return {-1.0, -0.5 * alpha_ * std::numbers::log2e}; }
  double derivative_scale() const override { return 0.5 * alpha_; }

  // Stable with index alpha and scale 2^(-1/alpha), by Chambers, Mallows and Stuck (1976).
  double draw_frequency(Stream& stream) const override {
    const double angle = std::numbers::pi * (draw_uniform(stream) - 0.5), waiting = draw_exponential(stream);
    const double bent = std::cos((1.0 - alpha_) * angle) / waiting;
    return std::sin(alpha_ * angle) / std::pow(2.0 * std::cos(angle), 1.0 / alpha_) *
           std::pow(bent, (1.0 - alpha_) / alpha_);
  }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const override {
    out.setZero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      out += ((X.col(d).array() - w[d]).abs() / std::sqrt(phi[d])).pow(alpha_);
    }
    out = (-0.5 * out).exp();
  }

  void log_derivative(double phi_d, Chunk& distance) const override {
    distance = (0.25 * alpha_) * (distance / std::sqrt(phi_d)).pow(alpha_);
  }

 private:
  double alpha_;
};

}  // namespace

std::unique_ptr<Covariance> make_power_exponential(double alpha) {
  return std::make_unique<PowerExponential>(alpha);
}

}  // namespace ta2s2
