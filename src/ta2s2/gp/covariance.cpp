#include "ta2s2/gp/covariance.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

// Every covariance that a user can name: a new one is a class and a line in the list below.

namespace {

// One factor for each input.
class ProductCovariance : public Covariance {
 public:
  // By input and then by wave.
  void draw_frequencies(const CorrelationParameters& at, Stream& stream, Matrix& frequencies) const override {
    for (Index d = 0; d < frequencies.cols(); ++d) {
      for (double& frequency : frequencies.col(d)) frequency = draw_frequency(stream) / std::sqrt(at.phi[d]);
    }
  }

 protected:
  // With E cos(omega r / sqrt(phi)) = the factor of one input at distance r.
  virtual double draw_frequency(Stream& stream) const = 0;

  // distance(i) = |x_d - w_d| on entry, dlog k / dlog phi_d on return.
  virtual void log_derivative_of_factor(double phi_d, Chunk& distance) const = 0;

  void log_derivative(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Index d,
                      Chunk& out) const override {
    out = (X.col(d).array() - w[d]).abs();
    log_derivative_of_factor(at.phi[d], out);
  }
};

// (2.3): k = exp(-1/2 sum_d (x_d - w_d)^2 / phi_d).
class SquaredExponential final : public ProductCovariance {
 public:
  std::string spec() const override { return "squared-exponential"; }

  CorrelationForm form() const override { return CorrelationForm::exponential; }
  PairFeature pair_feature() const override { return PairFeature::squared_distance; }
  double feature(double distance) const override { return distance * distance; }
  LogWeight log2_weight() const override { return {-1.0, -std::numbers::log2e}; }

 protected:
  double draw_frequency(Stream& stream) const override { return draw_normal(stream); }

  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    const VectorView& phi = at.phi;
    out.setZero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) out += (X.col(d).array() - w[d]).square() * (0.5 / phi[d]);
    out = (-out).exp();
  }

  void log_derivative_of_factor(double phi_d, Chunk& distance) const override {
    distance = distance.square() * (0.5 / phi_d);
  }
};

// The product of polynomials may overflow where the exponential has vanished already (Eigen's stops at
// 6e-309). As 1 + s + s^2/3 <= exp(s), and so is 1 + s, the bound is reached only beyond an exponent of 345, where it
// makes the correlation zero to rounding, as it is for any number of inputs below some hundreds.
constexpr double kLargestProduct = 1e150;

// k = prod_d (1 + s + s^2/3) exp(-s), s = sqrt(5) |x_d - w_d| / sqrt(phi_d): one exp per pair of points.
class Matern52 final : public ProductCovariance {
 public:
  std::string spec() const override { return "matern52"; }

  CorrelationForm form() const override { return CorrelationForm::matern52; }
  PairFeature pair_feature() const override { return PairFeature::distance; }
  double feature(double distance) const override { return distance; }
  LogWeight log2_weight() const override { return {0.5 * std::log2(5.0), -0.5 * std::numbers::log2e}; }

 protected:
  // Student t with 5 degrees of freedom.
  double draw_frequency(Stream& stream) const override {
    return draw_normal(stream) / std::sqrt(draw_gamma(stream, 5.0 / 2.0) / (5.0 / 2.0));
  }

  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    const VectorView& phi = at.phi;
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
  void log_derivative_of_factor(double phi_d, Chunk& distance) const override {
    const Chunk s = distance * std::sqrt(5.0 / phi_d);
    distance = s.square() * (1.0 + s) / (6.0 * (1.0 + s) + 2.0 * s.square());
  }
};

// k = prod_d (1 + s) exp(-s), s = sqrt(3) |x_d - w_d| / sqrt(phi_d): one exp per pair of points.
class Matern32 final : public ProductCovariance {
 public:
  std::string spec() const override { return "matern32"; }

  CorrelationForm form() const override { return CorrelationForm::matern32; }
  PairFeature pair_feature() const override { return PairFeature::distance; }
  double feature(double distance) const override { return distance; }
  LogWeight log2_weight() const override { return {0.5 * std::log2(3.0), -0.5 * std::numbers::log2e}; }

 protected:
  // Student t with 3 degrees of freedom.
  double draw_frequency(Stream& stream) const override {
    return draw_normal(stream) / std::sqrt(draw_gamma(stream, 3.0 / 2.0) / (3.0 / 2.0));
  }

  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    const VectorView& phi = at.phi;
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
  void log_derivative_of_factor(double phi_d, Chunk& distance) const override {
    const Chunk s = distance * std::sqrt(3.0 / phi_d);
    distance = s.square() / (2.0 * (1.0 + s));
  }
};

// k = exp(-1/2 sum_d |x_d - w_d|^alpha / phi_d^(alpha/2)), 0 < alpha <= 2: (2.3) at alpha = 2.
class PowerExponential final : public ProductCovariance {
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

 protected:
  // Stable with index alpha and scale 2^(-1/alpha), by Chambers, Mallows and Stuck (1976).
  double draw_frequency(Stream& stream) const override {
    const double angle = std::numbers::pi * (draw_uniform(stream) - 0.5), waiting = draw_exponential(stream);
    const double bent = std::cos((1.0 - alpha_) * angle) / waiting;
    return std::sin(alpha_ * angle) / std::pow(2.0 * std::cos(angle), 1.0 / alpha_) *
           std::pow(bent, (1.0 - alpha_) / alpha_);
  }

  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    const VectorView& phi = at.phi;
    out.setZero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      out += ((X.col(d).array() - w[d]).abs() / std::sqrt(phi[d])).pow(alpha_);
    }
    out = (-0.5 * out).exp();
  }

  void log_derivative_of_factor(double phi_d, Chunk& distance) const override {
    distance = (0.25 * alpha_) * (distance / std::sqrt(phi_d)).pow(alpha_);
  }

 private:
  double alpha_;
};

// k = prod_d (c + (1 - c) / (1 + s)) = prod_d (1 + c s) / (1 + s), s = (x_d - w_d)^2 / (2 phi_d), 0 <= c < 1: the
// rational quadratic of each input, with a constant share c. Multiplied out it is a sum over sets of inputs, in which
// small sets weigh the more the nearer c is to 1: functions that are sums of functions of few inputs are likely, where
// a plain product holds them for rare (Durrande, Ginsbourger and Roustant 2012). The SIMD kernels divide once for eight
// inputs (simd/detail/vector_math-inl.hpp).
class Rational final : public ProductCovariance {
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

 protected:
  // The constant is a wave of frequency zero; 1 / (1 + r^2/2) is the characteristic function of Laplace's distribution
  // with scale 1/sqrt(2).
  double draw_frequency(Stream& stream) const override {
    const bool is_constant = draw_uniform(stream) < share_, is_negative = draw_uniform(stream) < 0.5;
    const double size = draw_exponential(stream) / std::numbers::sqrt2;
    return is_constant ? 0.0 : (is_negative ? -size : size);
  }

  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    const VectorView& phi = at.phi;
    out.setOnes(X.rows());
    for (Index d = 0; d < X.cols(); ++d) {
      const Chunk s = ((X.col(d).array() - w[d]).square() * (0.5 / phi[d])).min(kLargestRatio);
      out *= (1.0 + share_ * s) / (1.0 + s);
    }
  }

  void log_derivative_of_factor(double phi_d, Chunk& distance) const override {
    const Chunk s = (distance.square() * (0.5 / phi_d)).min(kLargestRatio);
    distance = (1.0 - share_) * s / ((1.0 + s) * (1.0 + share_ * s));
  }

 private:
  double share_;
};

// k = (1 + s / (2 alpha))^-alpha, s = sum_d (x_d - w_d)^2 / phi_d, alpha the shape: the squared exponential's
// length-scales mixed over a gamma law (alpha to infinity is that correlation). No product over inputs.
class RationalQuadratic final : public Covariance {
 public:
  std::string spec() const override { return "rational-quadratic"; }

  std::optional<NormalCoordinate> shape() const override {
    return NormalCoordinate{"log_shape", {-3.0, 8.0}, 2.0, 2.0};
  }
  bool is_product() const override { return false; }

  CorrelationForm form() const override { return CorrelationForm::rational_quadratic; }
  PairFeature pair_feature() const override { return PairFeature::squared_distance; }
  double feature(double distance) const override { return distance * distance; }
  LogWeight log2_weight() const override { return {-1.0, -std::numbers::log2e}; }

  // Waves of a squared exponential whose length-scales are divided by the root of a draw from gamma(alpha, alpha).
  void draw_frequencies(const CorrelationParameters& at, Stream& stream, Matrix& frequencies) const override {
    for (Index k = 0; k < frequencies.rows(); ++k) {
      const double precision = draw_gamma(stream, at.shape) / at.shape;
      for (Index d = 0; d < frequencies.cols(); ++d) {
        frequencies(k, d) = draw_normal(stream) * std::sqrt(precision / at.phi[d]);
      }
    }
  }

 protected:
  void correlate(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) const override {
    fill_ratio(X, w, at, out);
    out = (-at.shape * out.log1p()).exp();
  }

  // With x = s / (2 alpha) and u = x / (1 + x): by log phi_d half of the input's part of s, over 1 + x; by log alpha
  // alpha (u - log1p(x)), where x is small by its series -alpha (u^2/2 + u^3/3 + ...).
  void log_derivative(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Index d,
                      Chunk& out) const override {
    fill_ratio(X, w, at, out);
    if (d < X.cols()) {
      out = (X.col(d).array() - w[d]).square() * (0.5 / at.phi[d]) / (1.0 + out);
      return;
    }
    const Chunk u = out / (1.0 + out);
    Chunk series = Chunk::Constant(out.size(), 1.0 / 13.0);
    for (int power = 12; power >= 2; --power) series = series * u + 1.0 / power;
    out = at.shape * (u < 0.0625).select(-u.square() * series, u - out.log1p());
  }

 private:
  static void fill_ratio(const MatrixView& X, const RowView& w, const CorrelationParameters& at, Chunk& out) {
    out.setZero(X.rows());
    for (Index d = 0; d < X.cols(); ++d) out += (X.col(d).array() - w[d]).square() * (0.5 / at.phi[d]);
    out /= at.shape;
  }
};

using Numbers = std::vector<double>;

const std::vector<Choice<Covariance>>& choices() {
  static const std::vector<Choice<Covariance>> list = {
      {"squared-exponential", 0, "squared-exponential",
       [](const Numbers&) { return std::make_unique<SquaredExponential>(); }},
      {"matern52", 0, "matern52", [](const Numbers&) { return std::make_unique<Matern52>(); }},
      {"matern32", 0, "matern32", [](const Numbers&) { return std::make_unique<Matern32>(); }},
      {"power-exponential(alpha)", 1, "power-exponential(1.9)",
       [](const Numbers& a) { return std::make_unique<PowerExponential>(a[0]); }},
      {"rational-quadratic", 0, "rational-quadratic",
       [](const Numbers&) { return std::make_unique<RationalQuadratic>(); }},
      {"rational(share)", 1, "rational(0.5)", [](const Numbers& a) { return std::make_unique<Rational>(a[0]); }},
  };
  return list;
}

}  // namespace

std::unique_ptr<Covariance> make_covariance(const std::string& spec) {
  return make_choice("correlation", spec, choices());
}

std::vector<std::string> covariance_names() {
  return forms(choices());
}

std::vector<std::string> covariance_examples() {
  return examples(choices());
}

namespace {

// Correlations below this become zero: products of such numbers are subnormal, which slows a factorisation.
// max(k, kNegligible) - kNegligible leaves every k above 1e-84 as it is, and needs no branch.
constexpr double kNegligible = 1e-100;

void mirror_lower_triangle(Matrix& A) {
  for (Index j = 1; j < A.cols(); ++j) A.col(j).head(j) = A.row(j).head(j).transpose();
}

}  // namespace

void Covariance::fill(MatrixView X, const CorrelationParameters& at, Matrix& K) const {
  const Index n = X.rows();
  K.resize(n, n);
  Chunk chunk;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      correlate(X.middleRows(i, length), X.row(j), at, chunk);
      K.col(j).segment(i, length) = chunk.max(kNegligible) - kNegligible;
    }
  }
  K.diagonal().setOnes();
  mirror_lower_triangle(K);
}

void Covariance::fill_cross(MatrixView X, MatrixView W, const CorrelationParameters& at, Matrix& T) const {
  const Index n = X.rows();
  T.resize(n, W.rows());
  Chunk chunk;
  for (Index j = 0; j < W.rows(); ++j) {
    for (Index i = 0; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      correlate(X.middleRows(i, length), W.row(j), at, chunk);
      T.col(j).segment(i, length) = chunk.max(kNegligible) - kNegligible;
    }
  }
}

void Covariance::fill_derivative(MatrixView X, const CorrelationParameters& at, const Matrix& K, Index d,
                                 Matrix& dK) const {
  const Index n = X.rows();
  dK.resize(n, n);
  Chunk chunk;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; i += kChunk) {
      const Index length = std::min(kChunk, n - i);
      log_derivative(X.middleRows(i, length), X.row(j), at, d, chunk);
      dK.col(j).segment(i, length) = chunk * K.col(j).segment(i, length).array();
    }
  }
  mirror_lower_triangle(dK);
}

void Covariance::sum_log_derivatives(MatrixView X, const CorrelationParameters& at, const Matrix& weights,
                                     Vector& sums) const {
  const Index n = X.rows();
  sums.setZero(X.cols() + (shape() ? 1 : 0));
  Chunk chunk;
  for (Index d = 0; d < sums.size(); ++d) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = j + 1; i < n; i += kChunk) {
        const Index length = std::min(kChunk, n - i);
        log_derivative(X.middleRows(i, length), X.row(j), at, d, chunk);
        sums[d] += (chunk * weights.col(j).segment(i, length).array()).sum();
      }
    }
  }
}

}  // namespace ta2s2
