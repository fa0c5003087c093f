// Jointly robust (Gu 2019), docs/math.md, section 2. With s_d = C phi_d^(-1/2) and t = sum_d s_d, the density of s
// is proportional to t^a exp(-b t): t ~ Gamma(a + p, rate b), the shares s/t ~ Dirichlet(1, ..., 1),
// independent.
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "ta2s2/base/error.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/priors/joint_priors.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

namespace {

constexpr double kShape = 0.2;  // a, RobustGaSP's default
constexpr Index kNumMassDraws = 1 << 16;
constexpr double kSmallestMass = 1e-9;

// Sixteen digits suffice here: Boost's default, long double inside, takes five times as long.
using DoubleOnly = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

class JointlyRobust final : public Prior {
 public:
  JointlyRobust(Index num_runs, Index num_inputs, Interval box) : p_(num_inputs), box_(box) {
    const double p = static_cast<double>(p_);
    scale_ = std::pow(static_cast<double>(num_runs), -1.0 / p);  // C
    rate_ = scale_ * (kShape + p);                               // b
    log_constant_ = (kShape + p) * std::log(rate_) - boost::math::lgamma(kShape + p) + boost::math::lgamma(p) +
                    p * std::log(0.5 * scale_);
    // Shares of 1/p each leave t the widest interval, so no other shares are more probable than this.
    equal_shares_mass_ = total_within(Vector::Constant(p_, 1.0 / p)).mass();
    estimate_mass();
  }

  std::string spec() const override { return "jointly-robust"; }
  Index dim() const override { return p_; }
  bool is_proper() const override { return true; }
  double log_mass_error() const override { return log_mass_error_; }

  double log_density(VectorView z) const override {
    for (Index d = 0; d < p_; ++d) {
      if (!box_.contains(z[d])) return -kInfinity;
    }
    const double total = scale_ * (-0.5 * z.array()).exp().sum();
    return log_constant_ + kShape * std::log(total) - rate_ * total - 0.5 * z.sum() - log_mass_;
  }

  // Shares by rejection, then t by inversion within the interval that keeps every coordinate in the box.
  Vector draw(Stream& stream) const override {
    for (;;) {
      const Vector shares = draw_shares(stream);
      const TotalRange range = total_within(shares);
      if (draw_uniform(stream) * equal_shares_mass_ >= range.mass()) continue;
      const double u = range.cdf_low + range.mass() * draw_uniform(stream);
      const double total = boost::math::gamma_p_inv(kShape + static_cast<double>(p_), u) / rate_;
      const Vector z = -2.0 * (total / scale_ * shares).array().log();
      return z.cwiseMax(box_.low).cwiseMin(box_.high);
    }
  }

 private:
  struct TotalRange {
    double cdf_low, cdf_high;
    double mass() const { return std::max(0.0, cdf_high - cdf_low); }
  };

  Vector draw_shares(Stream& stream) const {
    Vector shares(p_);
    for (Index d = 0; d < p_; ++d) shares[d] = draw_exponential(stream);
    return shares / shares.sum();
  }

  // The box is s_d in C [exp(-high/2), exp(-low/2)] for each d, hence an interval of t given the shares.
  TotalRange total_within(const Vector& shares) const {
    const double low = scale_ * std::exp(-0.5 * box_.high) / shares.minCoeff();
    const double high = scale_ * std::exp(-0.5 * box_.low) / shares.maxCoeff();
    if (low >= high) return {0.0, 0.0};
    const double shape = kShape + static_cast<double>(p_);
    return {boost::math::gamma_p(shape, rate_ * low, DoubleOnly()),
            boost::math::gamma_p(shape, rate_ * high, DoubleOnly())};
  }

  // The share of the prior's draws inside the box, with t integrated out: only the shares are drawn, and for
  // one input the mass is exact.
  void estimate_mass() {
    Stream stream({.seed = 1, .purpose = Purpose::prior_mass});
    double mean = 0.0, sum_of_squares = 0.0;
    const Index count = p_ == 1 ? 1 : kNumMassDraws;
    for (Index i = 0; i < count; ++i) {
      const double difference = total_within(draw_shares(stream)).mass() - mean;
      mean += difference / static_cast<double>(i + 1);
      sum_of_squares += difference * difference * static_cast<double>(i) / static_cast<double>(i + 1);
    }
    if (!(mean > kSmallestMass)) {
      throw Error(ErrorCode::usage, "the jointly-robust prior puts next to none of its mass on this box of log phi");
    }
    log_mass_ = std::log(mean);
    log_mass_error_ = std::sqrt(sum_of_squares) / static_cast<double>(count) / mean;
  }

  Index p_;
  Interval box_;
  double scale_ = 0.0, rate_ = 0.0, log_constant_ = 0.0;
  double equal_shares_mass_ = 0.0, log_mass_ = 0.0, log_mass_error_ = 0.0;
};

}  // namespace

std::unique_ptr<Prior> make_jointly_robust_prior(Index num_runs, Index num_inputs, Interval box) {
  return std::make_unique<JointlyRobust>(num_runs, num_inputs, box);
}

}  // namespace ta2s2
