#include "ta2s2/gp/priors/priors.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Exponential: f(v) = rate exp(-rate v). The paper's comparison uses rate 0.2 on phi.
class Exponential final : public ScalarPrior {
 public:
  explicit Exponential(double rate) : rate_(rate) { require_positive(rate, "the rate of exponential(rate)"); }

  std::string spec() const override { return format_spec("exponential", {rate_}); }
  double log_density(double v) const override { return v < 0.0 ? -kInfinity : std::log(rate_) - rate_ * v; }
  double log_density_slope(double v) const override { return -rate_ * v; }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : -std::expm1(-rate_ * v); }
  double quantile(double probability) const override { return -std::log1p(-probability) / rate_; }

 private:
  double rate_;
};

// Gamma: f(v) = rate^shape v^(shape - 1) exp(-rate v) / Gamma(shape).
class Gamma final : public ScalarPrior {
 public:
  Gamma(double shape, double rate) : shape_(shape), rate_(rate) {
    require_positive(shape, "the shape of gamma(shape,rate)");
    require_positive(rate, "the rate of gamma(shape,rate)");
    log_constant_ = shape * std::log(rate) - boost::math::lgamma(shape);
  }

  std::string spec() const override { return format_spec("gamma", {shape_, rate_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return log_constant_ + (shape_ - 1.0) * std::log(v) - rate_ * v;
  }

  double log_density_slope(double v) const override { return shape_ - 1.0 - rate_ * v; }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : boost::math::gamma_p(shape_, rate_ * v); }

  double quantile(double probability) const override {
    return probability >= 1.0 ? kInfinity : boost::math::gamma_p_inv(shape_, probability) / rate_;
  }

 private:
  double shape_, rate_, log_constant_;
};

// Log-normal: log v ~ N(mean, sd^2).
class LogNormal final : public ScalarPrior {
 public:
  LogNormal(double mean, double sd) : mean_(mean), sd_(sd) { require_positive(sd, "the sd of log-normal(mean,sd)"); }

  std::string spec() const override { return format_spec("log-normal", {mean_, sd_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    const double score = (std::log(v) - mean_) / sd_;
    return -0.5 * score * score - std::log(v * sd_) - 0.5 * std::log(2.0 * std::numbers::pi);
  }

  double log_density_slope(double v) const override { return -(std::log(v) - mean_) / (sd_ * sd_) - 1.0; }

  double cdf(double v) const override {
    return v <= 0.0 ? 0.0 : 0.5 * std::erfc((mean_ - std::log(v)) / (sd_ * std::numbers::sqrt2));
  }

  double quantile(double probability) const override {
    if (probability <= 0.0) return 0.0;
    if (probability >= 1.0) return kInfinity;
    return std::exp(mean_ - sd_ * std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * probability));
  }

 private:
  double mean_, sd_;
};

// Log-Laplace: log v has density exp(-|log v - location| / scale) / (2 scale).
class LogLaplace final : public ScalarPrior {
 public:
  LogLaplace(double location, double scale) : location_(location), scale_(scale) {
    require_positive(scale, "the scale of log-laplace(location,scale)");
  }

  std::string spec() const override { return format_spec("log-laplace", {location_, scale_}); }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return -std::abs(std::log(v) - location_) / scale_ - std::log(2.0 * scale_ * v);
  }

  // At the location itself, where the density has its peak, the slope of the left side.
  double log_density_slope(double v) const override { return (std::log(v) > location_ ? -1.0 : 1.0) / scale_ - 1.0; }

  double cdf(double v) const override {
    if (v <= 0.0) return 0.0;
    const double score = (std::log(v) - location_) / scale_;
    return score < 0.0 ? 0.5 * std::exp(score) : 1.0 - 0.5 * std::exp(-score);
  }

  double quantile(double probability) const override {
    const double score = probability < 0.5 ? std::log(2.0 * probability) : -std::log(2.0 * (1.0 - probability));
    return std::exp(location_ + scale_ * score);
  }

 private:
  double location_, scale_;
};

// Decaying: half-Cauchy on the length-scale l = sqrt(v), our reading of Andrianakis and Challenor (2011).
// f(l) = 2 / (pi (1 + l^2)) and dl/dv = 1 / (2 sqrt(v)) give f(v) = 1 / (pi sqrt(v) (1 + v)).
class Decaying final : public ScalarPrior {
 public:
  std::string spec() const override { return "decaying"; }

  double log_density(double v) const override {
    if (v <= 0.0) return -kInfinity;
    return -std::log(std::numbers::pi) - 0.5 * std::log(v) - std::log1p(v);
  }

  double log_density_slope(double v) const override { return -0.5 - v / (1.0 + v); }
  double cdf(double v) const override { return v <= 0.0 ? 0.0 : 2.0 / std::numbers::pi * std::atan(std::sqrt(v)); }

  double quantile(double probability) const override {
    if (probability >= 1.0) return kInfinity;
    const double length_scale = std::tan(0.5 * std::numbers::pi * probability);
    return length_scale * length_scale;
  }
};

// Log-uniform: log v is uniform between log(low) and log(high).
class LogUniform final : public ScalarPrior {
 public:
  LogUniform(double low, double high) : low_(low), high_(high) {
    require_positive(low, "the low end of log-uniform(low,high)");
    require_positive(high - low, "high - low of log-uniform(low,high)");
    log_low_ = std::log(low);
    log_width_ = std::log(high) - log_low_;
    log_constant_ = -std::log(log_width_);
  }

  std::string spec() const override { return format_spec("log-uniform", {low_, high_}); }

  double log_density(double v) const override {
    return v < low_ || v > high_ ? -kInfinity : log_constant_ - std::log(v);
  }

  double log_density_of_log(double log_v) const override {
    return log_v < log_low_ || log_v > log_low_ + log_width_ ? -kInfinity : log_constant_ - log_v;
  }

  double log_density_slope(double) const override { return -1.0; }

  double cdf(double v) const override {
    return v <= low_ ? 0.0 : std::min(1.0, (std::log(v) - std::log(low_)) / log_width_);
  }

  double quantile(double probability) const override { return low_ * std::exp(probability * log_width_); }

 private:
  double low_, high_, log_low_, log_width_, log_constant_;
};

// Uniform: f(v) = 1 / (high - low) between low and high.
class Uniform final : public ScalarPrior {
 public:
  Uniform(double low, double high) : low_(low), high_(high) {
    require_positive(high - low, "high - low of uniform(low,high)");
  }

  std::string spec() const override { return format_spec("uniform", {low_, high_}); }

  double log_density(double v) const override { return v < low_ || v > high_ ? -kInfinity : -std::log(high_ - low_); }

  double log_density_slope(double) const override { return 0.0; }

  double cdf(double v) const override { return std::clamp((v - low_) / (high_ - low_), 0.0, 1.0); }
  double quantile(double probability) const override { return low_ + probability * (high_ - low_); }

 private:
  double low_, high_;
};

// exponent * log_base, with 0 * (-inf) = 0.
double log_power(double log_base, double exponent) {
  return exponent == 0.0 ? 0.0 : exponent * log_base;
}

// Beta: f(v) = v^(a - 1) (1 - v)^(b - 1) / B(a, b) on (0, 1).
class Beta final : public ScalarPrior {
 public:
  Beta(double a, double b) : a_(a), b_(b) {
    require_positive(a, "the first number of beta(a,b)");
    require_positive(b, "the second number of beta(a,b)");
    log_constant_ = boost::math::lgamma(a + b) - boost::math::lgamma(a) - boost::math::lgamma(b);
  }

  std::string spec() const override { return format_spec("beta", {a_, b_}); }

  double log_density(double v) const override {
    if (v < 0.0 || v > 1.0) return -kInfinity;
    return log_constant_ + log_power(std::log(v), a_ - 1.0) + log_power(std::log1p(-v), b_ - 1.0);
  }

  double log_density_slope(double v) const override { return a_ - 1.0 - (b_ - 1.0) * v / (1.0 - v); }
  double cdf(double v) const override { return boost::math::ibeta(a_, b_, std::clamp(v, 0.0, 1.0)); }
  double quantile(double probability) const override { return boost::math::ibeta_inv(a_, b_, probability); }

 private:
  double a_, b_, log_constant_;
};

}  // namespace

std::unique_ptr<ScalarPrior> make_exponential_prior(double rate) {
  return std::make_unique<Exponential>(rate);
}

std::unique_ptr<ScalarPrior> make_gamma_prior(double shape, double rate) {
  return std::make_unique<Gamma>(shape, rate);
}

std::unique_ptr<ScalarPrior> make_log_normal_prior(double mean, double sd) {
  return std::make_unique<LogNormal>(mean, sd);
}

std::unique_ptr<ScalarPrior> make_log_laplace_prior(double location, double scale) {
  return std::make_unique<LogLaplace>(location, scale);
}

std::unique_ptr<ScalarPrior> make_decaying_prior() {
  return std::make_unique<Decaying>();
}

std::unique_ptr<ScalarPrior> make_log_uniform_prior(double low, double high) {
  return std::make_unique<LogUniform>(low, high);
}

std::unique_ptr<ScalarPrior> make_uniform_prior(double low, double high) {
  return std::make_unique<Uniform>(low, high);
}

std::unique_ptr<ScalarPrior> make_beta_prior(double a, double b) {
  return std::make_unique<Beta>(a, b);
}

namespace {

double normal_cdf(double score) {
  return 0.5 * std::erfc(-score / std::numbers::sqrt2);
}

class NormalPrior final : public Prior {
 public:
  explicit NormalPrior(const std::vector<NormalCoordinate>& coordinates) : coordinates_(coordinates) {
    for (const NormalCoordinate& c : coordinates_) {
      const double mass = normal_cdf((c.box.high - c.mean) / c.sd) - normal_cdf((c.box.low - c.mean) / c.sd);
      log_constant_ -= std::log(c.sd * mass) + 0.5 * std::log(2.0 * std::numbers::pi);
    }
  }

  std::string spec() const override { return "normal"; }
  Index dim() const override { return static_cast<Index>(coordinates_.size()); }
  bool is_proper() const override { return true; }

  double log_density(VectorView z) const override {
    double log_density = log_constant_;
    for (Index i = 0; i < dim(); ++i) {
      if (!at(i).box.contains(z[i])) return -kInfinity;
      const double score = (z[i] - at(i).mean) / at(i).sd;
      log_density -= 0.5 * score * score;
    }
    return log_density;
  }

  bool has_gradient() const override { return true; }
  void log_density_gradient(VectorView z, Eigen::Ref<Vector> gradient) const override {
    for (Index i = 0; i < dim(); ++i) gradient[i] = -(z[i] - at(i).mean) / (at(i).sd * at(i).sd);
  }

  // Boxes hold nearly all of the mass: few draws are outside.
  Vector draw(Stream& stream) const override {
    Vector z(dim());
    for (Index i = 0; i < dim(); ++i) {
      do {
        z[i] = at(i).mean + at(i).sd * draw_normal(stream);
      } while (!at(i).box.contains(z[i]));
    }
    return z;
  }

 private:
  const NormalCoordinate& at(Index i) const { return coordinates_[static_cast<std::size_t>(i)]; }

  std::vector<NormalCoordinate> coordinates_;
  double log_constant_ = 0.0;
};

}  // namespace

std::unique_ptr<Prior> make_normal_prior(const std::vector<NormalCoordinate>& coordinates) {
  return std::make_unique<NormalPrior>(coordinates);
}

}  // namespace ta2s2
