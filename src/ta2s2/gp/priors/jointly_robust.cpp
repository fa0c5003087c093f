// Jointly robust priors, docs/math.md, section 2. With s_d = C phi_d^(-1/2) and t = sum_d s_d, the density of s is
// proportional to t^a exp(-b t) prod_d s_d^(c - 1): t ~ Gamma(a + p c, rate b), the shares s/t ~ Dirichlet(c, ..., c),
// independent. Gu (2019) has c = 1. The sparse prior has c = 2/p, which leaves most of t to a few inputs.
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/priors/priors.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

constexpr double kShape = 0.2;  // a, RobustGaSP's default

// The integral of x^(c - 1) exp(-x) over [from, to], to <= 1, by the series of exp. No term loses digits where the
// interval is narrow, and the sum is at least exp(-1) of its first term.
double gamma_integral_below_one(double c, double from, double to) {
  constexpr int kTerms = 20;  // 1/20! is below half a rounding
  const double log_ratio = std::log(to / from);
  double sum = 0.0, power = std::pow(to, c);
  for (int k = 0; k < kTerms; ++k) {
    sum -= power * std::expm1(-(c + k) * log_ratio) / (c + k);
    power *= -to / (k + 1);
  }
  return sum;
}

// The same over [from, to], 1 <= from, divided by from^(c - 1) exp(-from).
double gamma_integral_above_one(double c, double from, double to) {
  constexpr double kEnds[] = {0.0, 2.0, 6.0, 14.0, 30.0, 60.0};  // exp(-60) is nothing beside the first panel
  const auto integrand = [&](double y) { return std::exp((c - 1.0) * std::log1p(y / from) - y); };
  double sum = 0.0;
  for (int i = 0; i < 5 && kEnds[i] < to - from; ++i) {
    sum +=
        boost::math::quadrature::gauss<double, 20>::integrate(integrand, kEnds[i], std::min(kEnds[i + 1], to - from));
  }
  return sum;
}

// log of the integral of x^(c - 1) exp(-x) over [from, to], 0 < from < to, of any size and width.
double log_gamma_integral(double c, double from, double to) {
  if (to <= 1.0) return std::log(gamma_integral_below_one(c, from, to));
  if (from >= 1.0) return std::log(gamma_integral_above_one(c, from, to)) + (c - 1.0) * std::log(from) - from;
  return std::log(gamma_integral_below_one(c, from, 1.0) + std::exp(-1.0) * gamma_integral_above_one(c, 1.0, to));
}

// A draw from a log-concave density f on an interval, with its mode there: f(x) is nowhere above
// f(mode) min(1, exp(1 - f(mode) |x - mode|)), whose integral is 4 (Devroye 1984). `log_density` is normalised.
template <typename LogDensity>
double draw_log_concave(Stream& stream, const LogDensity& log_density, double mode, Interval interval) {
  const double log_peak = log_density(mode), peak = std::exp(log_peak);
  for (;;) {
    const bool is_in_tail = draw_uniform(stream) < 0.5;
    const double distance = is_in_tail ? 1.0 + draw_exponential(stream) : draw_uniform(stream);
    const double x = mode + (draw_uniform(stream) < 0.5 ? -distance : distance) / peak;
    const double log_level = std::log(draw_uniform(stream)) + log_peak + std::min(0.0, 1.0 - distance);
    if (interval.contains(x) && log_level < log_density(x)) return x;
  }
}

class JointlyRobust final : public Prior {
 public:
  JointlyRobust(std::string spec, double concentration, double start_rate, Index num_runs, Index num_inputs,
                Interval box)
      : spec_(std::move(spec)), c_(concentration), start_rate_(start_rate), p_(num_inputs), box_(box) {
    const double p = static_cast<double>(p_), total_shape = kShape + p * c_;
    scale_ = std::pow(static_cast<double>(num_runs), -1.0 / p);  // C
    rate_ = scale_ * total_shape;                                // b
    first_ = scale_ * std::exp(-0.5 * box_.high);
    last_ = scale_ * std::exp(-0.5 * box_.low);
    log_constant_ = total_shape * std::log(rate_) - boost::math::lgamma(total_shape) + boost::math::lgamma(p * c_) -
                    p * boost::math::lgamma(c_) + p * std::log(0.5 * std::pow(scale_, c_));
    integrate_box();
  }

  std::string spec() const override { return spec_; }
  Index dim() const override { return p_; }
  bool is_proper() const override { return true; }
  double start_rate() const override { return start_rate_; }

  double log_density(VectorView z) const override {
    for (Index d = 0; d < p_; ++d) {
      if (!box_.contains(z[d])) return -kInfinity;
    }
    // The sum of z itself would begin where z is aligned: its last digits would depend on where a point is kept.
    const auto log_relative = -0.5 * z.array();  // log (s_d / C)
    const double total = scale_ * log_relative.exp().sum();
    return log_constant_ + kShape * std::log(total) - rate_ * total + c_ * log_relative.sum() - log_mass_;
  }

  bool has_gradient() const override { return true; }

  // dt/dz_d = -s_d / 2.
  void log_density_gradient(VectorView z, Eigen::Ref<Vector> gradient) const override {
    gradient = scale_ * (-0.5 * z.array()).exp();
    const double by_total = kShape / gradient.sum() - rate_;
    gradient.array() = -0.5 * (by_total * gradient.array() + c_);
  }

  // As integrate_box has it: u, then the input that the factor t stands for, then each s_d by itself given these.
  Vector draw(Stream& stream) const override {
    const auto log_density_of_log_u = [&](double log_u) { return log_integrand(log_u) - log_integral_; };
    const double r = rate_ + std::exp(draw_log_concave(stream, log_density_of_log_u, peak_, {-kInfinity, kInfinity}));
    const Index chosen = draw_index(stream, p_);
    const LogSDensity usual = density_of_log_s(c_, r), of_chosen = density_of_log_s(c_ + 1.0, r);
    const Interval interval{std::log(first_), std::log(last_)};
    Vector z(p_);
    for (Index d = 0; d < p_; ++d) {
      const LogSDensity& density = d == chosen ? of_chosen : usual;
      const double log_s = draw_log_concave(stream, density, density.mode, interval);
      z[d] = std::clamp(-2.0 * (log_s - std::log(scale_)), box_.low, box_.high);
    }
    return z;
  }

 private:
  // The density of log s_d on the box where that of s_d is proportional to s^(c - 1) exp(-r s).
  struct LogSDensity {
    double c, r, log_integral, mode;
    double operator()(double log_s) const { return c * log_s - r * std::exp(log_s) - log_integral; }
  };
  LogSDensity density_of_log_s(double c, double r) const {
    return {c, r, log_gamma_integral(c, r * first_, r * last_) - c * std::log(r),
            std::log(std::clamp(c / r, first_, last_))};
  }

  // The box is [first, last]^p in s. With t^a = t t^(a - 1) and t^(a - 1) = int u^-a exp(-u t) du / Gamma(1 - a), the
  // coordinates come apart: with B(r) = int_first^last s^(c - 1) exp(-r s) ds the mass is
  //   b^(a + p c) Gamma(p c) / (Gamma(a + p c) Gamma(1 - a) Gamma(c)^p) int u^-a (-d/du B(b + u)^p) du.
  // In log u the integrand is analytic and falls off exponentially on both sides: equal steps are exact to rounding.
  // It is log-concave: so is u^(1 - a) exp(c log s_1 + ... - (b + u) t) in log u and all log s_d, and marginals of
  // log-concave densities are.
  void integrate_box() {
    constexpr double kStep = 0.25, kTail = 50.0;
    const double p = static_cast<double>(p_), total_shape = kShape + p * c_;
    const double begin = std::min(std::log(rate_), -std::log(last_)) - kTail;
    const double end = std::max(std::log(rate_), -std::log(last_)) + kTail;
    std::vector<double> log_terms;
    for (double log_u = begin; log_u < end; log_u += kStep) log_terms.push_back(log_integrand(log_u));
    log_integral_ = std::log(kStep) + log_sum_exp(log_terms);
    log_mass_ = total_shape * std::log(rate_) + boost::math::lgamma(p * c_) - p * boost::math::lgamma(c_) -
                boost::math::lgamma(total_shape) - boost::math::lgamma(1.0 - kShape) + std::log(kStep) +
                log_sum_exp(log_terms);
    if (!std::isfinite(log_mass_)) {
      throw Error(ErrorCode::usage, "the prior " + spec_ + " cannot be normalised on this box of log phi");
    }
    const auto largest = std::max_element(log_terms.begin(), log_terms.end()) - log_terms.begin();
    const double best = begin + kStep * static_cast<double>(largest);
    const auto minus_log_integrand = [&](double log_u) { return -log_integrand(log_u); };
    constexpr int kHalfOfTheBits = 26;  // the argument of a minimum has no more
    peak_ =
        boost::math::tools::brent_find_minima(minus_log_integrand, best - kStep, best + kStep, kHalfOfTheBits).first;
  }

  // log of u u^-a (-d/du B(b + u)^p), a density of log u.
  double log_integrand(double log_u) const {
    const double p = static_cast<double>(p_);
    const double r = rate_ + std::exp(log_u);
    const double y = r * (last_ - first_);
    constexpr double kLeastWidth = 1e-6;  // below, the closed form loses half of its digits
    if (c_ == 1.0 && y > kLeastWidth) {
      const double within = -std::expm1(-y);                                // r exp(r first) B(r)
      const double slope = (r * first_ + 1.0) * within - y * std::exp(-y);  // -r^2 exp(r first) B'(r)
      return (1.0 - kShape) * log_u + std::log(p * slope) + (p - 1.0) * std::log(within) - p * r * first_ -
             (p + 1.0) * std::log(r);
    }
    return (1.0 - kShape) * log_u + std::log(p) + log_gamma_integral(c_ + 1.0, r * first_, r * last_) +
           (p - 1.0) * log_gamma_integral(c_, r * first_, r * last_) - (p * c_ + 1.0) * std::log(r);
  }

  std::string spec_;
  double c_, start_rate_;
  Index p_;
  Interval box_;
  double scale_ = 0.0, rate_ = 0.0, log_constant_ = 0.0;
  double first_ = 0.0, last_ = 0.0;                          // the box of every s_d
  double log_integral_ = 0.0, log_mass_ = 0.0, peak_ = 0.0;  // of log_integrand; peak_ is its argument
};

}  // namespace

// A law that falls as fast as exp(-z / 2) would look for all length-scales at the lower border, from where t^a exp(-b
// t) keeps them; one slow enough to reach them all is as good as none.
std::unique_ptr<Prior> make_jointly_robust_prior(std::string spec, Index num_runs, Index num_inputs, Interval box) {
  return std::make_unique<JointlyRobust>(std::move(spec), 1.0, 0.0, num_runs, num_inputs, box);
}

// prod_d s_d^c is exp(-z_1 / p - ...). With few inputs that falls too fast, for the same reason.
std::unique_ptr<Prior> make_sparse_jointly_robust_prior(std::string spec, Index num_runs, Index num_inputs,
                                                        Interval box) {
  constexpr double kFastestStart = 0.2;
  const double p = static_cast<double>(num_inputs);
  return std::make_unique<JointlyRobust>(std::move(spec), 2.0 / p, std::min(1.0 / p, kFastestStart), num_runs,
                                         num_inputs, box);
}

}  // namespace ta2s2
