// Targets whose every tempered density can be drawn from exactly, with exact means by closed form or
// quadrature.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "statistical/invariance_harness.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/function_target.hpp"

namespace ta2s2 {

// Trapezoidal rule: spectrally accurate for smooth functions that vanish at both ends.
template <typename F>
double trapezoid(double low, double high, int num_nodes, F f) {
  const double step = (high - low) / num_nodes;
  double sum = 0.0;
  for (int i = 0; i <= num_nodes; ++i) sum += f(low + step * i);
  return sum * step;
}

// A log density on a box wide enough that nothing is lost outside it; E0 is constant.
class BoxedTarget : public ExactTarget {
 public:
  BoxedTarget(FunctionTarget::LogDensity log_density, Vector low, Vector high)
      : boxed_(std::move(log_density), std::move(low), std::move(high)) {}

  Index dim() const override { return boxed_.dim(); }
  std::vector<std::string> names() const override { return boxed_.names(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    boxed_.energies(points, workspace, out);
  }
  Vector draw_start(Stream& stream) const override { return boxed_.draw_start(stream); }

 private:
  FunctionTarget boxed_;
};

// Independent logs of Gamma(a_d) variables, skewed to the left: density proportional to prod exp(a_d x_d -
// e^(x_d)). Tempered: exp(beta a x - beta e^x), so that beta e^x ~ Gamma(beta a). The log evidence is sum
// lgamma(a_d).
class SkewedTarget final : public BoxedTarget {
 public:
  explicit SkewedTarget(Vector shapes)
      : BoxedTarget([shapes](VectorView x) { return (shapes.array() * x.array() - x.array().exp()).sum(); },
                    Vector::Constant(shapes.size(), kLow), Vector::Constant(shapes.size(), kHigh)),
        shapes_(std::move(shapes)) {}

  Vector draw_exact(double beta, Stream& stream) const override {
    Vector x(dim());
    for (Index d = 0; d < dim(); ++d) x[d] = std::log(draw_gamma(stream, beta * shapes_[d]) / beta);
    return x;
  }

  // Exact mean of f(x_d) at beta. The left tail is exp(beta a x): at the smallest beta a used, 0.4, the box
  // loses 1e-17.
  template <typename F>
  double mean_of(Index d, double beta, F f) const {
    const double a = beta * shapes_[d];
    const auto density = [&](double x) { return std::exp(a * x - beta * std::exp(x)); };
    return trapezoid(kLow, kHigh, kNodes, [&](double x) { return f(x) * density(x); }) /
           trapezoid(kLow, kHigh, kNodes, density);
  }

  std::vector<Statistic> statistics(double beta) const override {
    std::vector<Statistic> all;
    double mean_energy = 0.0;
    for (Index d = 0; d < dim(); ++d) {
      const std::string name = "x" + std::to_string(d + 1);
      const double mean = mean_of(d, beta, [](double x) { return x; });
      const auto squared = [mean](double x) { return (x - mean) * (x - mean); };
      const auto log_scale = [](double x) { return std::log1p(std::exp(x)); };  // weighs the short right tail
      all.push_back({name, [d](const Vector& x, const Energy&) { return x[d]; }, mean});
      all.push_back({name + " spread", [d, squared](const Vector& x, const Energy&) { return squared(x[d]); },
                     mean_of(d, beta, squared)});
      all.push_back({name + " right tail", [d, log_scale](const Vector& x, const Energy&) { return log_scale(x[d]); },
                     mean_of(d, beta, log_scale)});
      mean_energy += mean_of(d, beta, [this, d](double x) { return std::exp(x) - shapes_[d] * x; });
    }
    all.push_back({"energy", [](const Vector&, const Energy& energy) { return energy.total(); }, mean_energy});
    return all;
  }

 private:
  static constexpr double kLow = -100.0, kHigh = 20.0;
  static constexpr int kNodes = 6000;
  Vector shapes_;
};

// Two normal modes of unequal weight and shape in two dimensions, normalised: log evidence 0.
class TwoModeTarget final : public BoxedTarget {
 public:
  TwoModeTarget() : BoxedTarget(log_density, Vector::Constant(2, -kHalfWidth), Vector::Constant(2, kHalfWidth)) {}

  static constexpr double kLeftWeight = 0.25;
  static bool is_left(const Vector& x) { return x[0] < 0.0; }

  // Rejection: p^beta <= sum_c (w_c N_c)^beta for beta <= 1, and each (w_c N_c)^beta is a normal of
  // covariance S / beta.
  Vector draw_exact(double beta, Stream& stream) const override {
    std::array<double, 2> masses;
    for (std::size_t c = 0; c < 2; ++c) {
      const Mode& mode = modes()[c];
      masses[c] = std::pow(mode.weight, beta) * std::pow(mode.volume(), 1.0 - beta);
    }
    for (;;) {
      const Mode& mode = modes()[static_cast<std::size_t>(draw_categorical(stream, masses))];
      const Vector x = mode.mean + draw_correlated_normals(stream, mode.factor) / std::sqrt(beta);
      double bound = 0.0;
      for (const Mode& other : modes()) bound += std::exp(beta * other.log_term(x));
      if (draw_uniform(stream) * bound < std::exp(beta * log_density(x))) return x;
    }
  }

  template <typename F>
  static double mean_of(double beta, F f) {
    double sum = 0.0, normaliser = 0.0;
    constexpr double kStep = 2.0 * kHalfWidth / kNodes;
    for (int i = 0; i < kNodes; ++i) {
      for (int j = 0; j < kNodes; ++j) {
        const Vector x{{-kHalfWidth + (i + 0.5) * kStep, -kHalfWidth + (j + 0.5) * kStep}};
        const double density = std::exp(beta * log_density(x));
        sum += density * f(x);
        normaliser += density;
      }
    }
    return sum / normaliser;
  }

  std::vector<Statistic> statistics(double beta) const override {
    const double mean1 = mean_of(beta, [](const Vector& x) { return x[0]; });
    const double mean2 = mean_of(beta, [](const Vector& x) { return x[1]; });
    using Function = std::function<double(const Vector&)>;
    const std::vector<std::pair<std::string, Function>> functions = {
        {"x1", [](const Vector& x) { return x[0]; }},
        {"x2", [](const Vector& x) { return x[1]; }},
        {"x1 spread", [mean1](const Vector& x) { return (x[0] - mean1) * (x[0] - mean1); }},
        {"x2 spread", [mean2](const Vector& x) { return (x[1] - mean2) * (x[1] - mean2); }},
        {"x1 x2", [mean1, mean2](const Vector& x) { return (x[0] - mean1) * (x[1] - mean2); }},
        {"mode weight", [](const Vector& x) { return is_left(x) ? 1.0 : 0.0; }},
    };
    std::vector<Statistic> all;
    for (const auto& [name, f] : functions) {
      all.push_back({name, [f = f](const Vector& x, const Energy&) { return f(x); }, mean_of(beta, f)});
    }
    all.push_back({"energy", [](const Vector&, const Energy& energy) { return energy.total(); },
                   mean_of(beta, [](const Vector& x) { return -log_density(x); })});
    return all;
  }

 private:
  struct Mode {
    double weight;
    Vector mean;
    Matrix factor;
    double volume() const { return 2.0 * std::numbers::pi * factor.diagonal().prod(); }
    double log_term(VectorView x) const {
      const Vector scaled = factor.triangularView<Eigen::Lower>().solve(x - mean);
      return std::log(weight / volume()) - 0.5 * scaled.squaredNorm();
    }
  };

  static const std::array<Mode, 2>& modes() {
    static const std::array<Mode, 2> both = {
        Mode{kLeftWeight, Vector{{-3.0, 1.0}}, Matrix{{0.5, 0.0}, {-0.3, 0.4}}},
        Mode{1.0 - kLeftWeight, Vector{{2.5, -1.0}}, Matrix{{0.8, 0.0}, {0.9, 0.6}}}};
    return both;
  }

  static double log_density(VectorView x) { return log_add_exp(modes()[0].log_term(x), modes()[1].log_term(x)); }

  // At tau = 5 the modes' sds are up to 2.4: the box reaches 9 of them beyond the nearer centre. The midpoint
  // rule's step of 0.125 resolves the narrowest mode at tau = 1, sd 0.35 across its ridge, to 1e-15.
  static constexpr double kHalfWidth = 25.0;
  static constexpr int kNodes = 400;
};

// p_0 = N(0, 9 I) in six dimensions, likelihood a correlated normal: only the likelihood is tempered, so that
// E0 is not constant. Precision at beta: I / 9 + beta A; mean: its inverse times beta A m.
class PriorPathGaussian final : public ExactTarget {
 public:
  Index dim() const override { return 6; }
  std::vector<std::string> names() const override { return {"a", "b", "c", "d", "e", "f"}; }

  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    for (Index i = 0; i < points.cols(); ++i) {
      const Vector x = points.col(i);
      const double start =
          0.5 * x.squaredNorm() / kPriorVariance + 3.0 * std::log(2.0 * std::numbers::pi * kPriorVariance);
      const Vector offset = x - data_mean();
      out[static_cast<std::size_t>(i)] = {start, 0.5 * offset.dot(data_precision() * offset), Impossible::no};
    }
  }

  Vector draw_start(Stream& stream) const override { return draw_exact(0.0, stream); }

  Vector draw_exact(double beta, Stream& stream) const override {
    const Matrix factor = precision(beta).llt().matrixU();
    return mean(beta) + factor.triangularView<Eigen::Upper>().solve(draw_normals(stream, 6));
  }

  std::vector<Statistic> statistics(double beta) const override {
    const Vector centre = mean(beta);
    const Matrix covariance = precision(beta).inverse();
    std::vector<Statistic> all;
    for (Index i = 0; i < 6; ++i) {
      all.push_back(
          {names()[static_cast<std::size_t>(i)], [i](const Vector& x, const Energy&) { return x[i]; }, centre[i]});
      for (Index j = 0; j <= i; ++j) {
        const auto product = [i, j, centre](const Vector& x, const Energy&) {
          return (x[i] - centre[i]) * (x[j] - centre[j]);
        };
        all.push_back(
            {names()[static_cast<std::size_t>(i)] + names()[static_cast<std::size_t>(j)], product, covariance(i, j)});
      }
    }
    // E[(x - m)' A (x - m)] = tr(A C) + (mean - m)' A (mean - m).
    const Vector miss = centre - data_mean();
    const double e1 = 0.5 * ((data_precision() * covariance).trace() + miss.dot(data_precision() * miss));
    all.push_back({"energy", [](const Vector&, const Energy& energy) { return energy.tempered; }, e1});
    return all;
  }

 private:
  static constexpr double kPriorVariance = 9.0;

  static Vector data_mean() { return Vector::LinSpaced(6, -2.0, 3.0); }
  // First-order autoregression with correlation 0.8 and sds from 0.5 to 3, inverted.
  static const Matrix& data_precision() {
    static const Matrix inverse = [] {
      const Vector sds = Vector::LinSpaced(6, 0.5, 3.0);
      Matrix covariance(6, 6);
      for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 6; ++j) covariance(i, j) = sds[i] * sds[j] * std::pow(0.8, std::abs(i - j));
      }
      return Matrix(covariance.inverse());
    }();
    return inverse;
  }
  static Matrix precision(double beta) { return Matrix::Identity(6, 6) / kPriorVariance + beta * data_precision(); }
  static Vector mean(double beta) { return precision(beta).llt().solve(beta * data_precision() * data_mean()); }
};

}  // namespace ta2s2
