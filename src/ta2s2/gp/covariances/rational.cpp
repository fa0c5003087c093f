// k = prod_d (c + (1 - c) / (1 + s)) = prod_d (1 + c s) / (1 + s), s = (x_d - w_d)^2 / (2 phi_d), 0 <= c < 1: the
// rational quadratic of each input, with a constant share c. Multiplied out it is a sum over sets of inputs, in which
// small sets weigh the more the nearer c is to 1: functions that are sums of functions of few inputs are likely, where
// a plain product holds them for rare (Durrande, Ginsbourger and Roustant 2012). The SIMD kernels divide once for eight
// inputs (simd/detail/vector_math-inl.hpp).
#include <cmath>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/covariances/covariances.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

class Rational final : public Covariance {
 public:
  explicit Rational(double share) : share_(share) {
    if (share >= 0.0 && share < 1.0) return;
    throw Error(ErrorCode::usage,
                "the share of rational(share) must be at least 0 and below 1, not " + format_number(share));
  }

  std::string spec() const override { return format_spec("rational", {share_}); }

  CorrelationForm form() const override { return CorrelationForm::rational; }
  double constant_share() const override { return share_; }
  PairFeature pair_feature() const override { return PairFeature::squared_distance; }
  double feature(double distance) const override { return distance * distance; }
  LogWeight log2_weight() const override { return {-1.0, -std::numbers::log2e}; }

  // The constant is a wave of frequency zero; 1 / (1 + r^2/2) is the characteristic function of Laplace's distribution
  // with scale 1/sqrt(2).
  double draw_frequency(Stream& stream) const override {
    const bool is_constant = draw_uniform(stream) < share_, is_negative = draw_uniform(stream) < 0.5;
    const double size = draw_exponential(stream) / std::numbers::sqrt2;
    return is_constant ? 0.0 : (is_negative ? -size : size);
  }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const VectorView& phi, Chunk& out) const override {
    out.setOnes(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      const Chunk s = ((X.col(d).array() - w[d]).square() * (0.5 / phi[d])).min(kLargestRatio);
      out *= (1.0 + share_ * s) / (1.0 + s);
    }
  }

  void log_derivative(double phi_d, Chunk& distance) const override {
    const Chunk s = (distance.square() * (0.5 / phi_d)).min(kLargestRatio);
    distance = (1.0 - share_) * s / ((1.0 + s) * (1.0 + share_ * s));
  }

 private:
  double share_;
};

}  // namespace

std::unique_ptr<Covariance> make_rational(double share) {
  return std::make_unique<Rational>(share);
}

}  // namespace ta2s2
