#include "targets/normal_modes_target.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

constexpr double kModesHalfWidth = 25.0;
constexpr std::size_t kMostModes = 3;

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

NormalModesTarget NormalModesTarget::two(Index dim) {
  return NormalModesTarget(dim, {{0.25, -3.0, 1.0, 0.5, -0.5}, {0.75, 2.5, -1.0, 0.8, 0.7}}, {0.0});
}

NormalModesTarget NormalModesTarget::three(Index dim) {
  return NormalModesTarget(dim, {{0.15, -4.0, 1.0, 0.5, -0.5}, {0.25, 0.0, -1.0, 0.6, 0.0}, {0.6, 4.0, 0.5, 0.8, 0.7}},
                           {-2.0, 1.8});
}

NormalModesTarget::NormalModesTarget(Index dim, const std::vector<Shape>& shapes, std::vector<double> slab_borders)
    : BoxTarget(Vector::Constant(dim, -kModesHalfWidth), Vector::Constant(dim, kModesHalfWidth)),
      slab_borders_(std::move(slab_borders)) {
  for (const Shape& shape : shapes) modes_.push_back(make_mode(dim, shape));
}

// Neighbours are correlated as in a first-order autoregression; every third coordinate is wider, signs alternate.
NormalModesTarget::Mode NormalModesTarget::make_mode(Index dim, const Shape& shape) {
  Mode mode;
  mode.weight = shape.weight;
  mode.mean.resize(dim);
  Vector sds(dim);
  for (Index d = 0; d < dim; ++d) {
    mode.mean[d] = d == 0 ? shape.first_mean : d % 2 == 1 ? shape.other_mean : -shape.other_mean;
    sds[d] = shape.sd * (1.0 + 0.25 * static_cast<double>(d % 3));
  }
  Matrix covariance(dim, dim);
  for (Index i = 0; i < dim; ++i) {
    for (Index j = 0; j < dim; ++j) {
      const double correlation = i == j ? 1.0 : std::pow(shape.correlation, std::abs(static_cast<double>(i - j)));
      covariance(i, j) = sds[i] * sds[j] * correlation;
    }
  }
  mode.factor = covariance.llt().matrixL();
  mode.inverse_factor = mode.factor.triangularView<Eigen::Lower>().solve(Matrix::Identity(dim, dim));
  mode.log_constant = std::log(shape.weight) - mode.factor.diagonal().array().log().sum() -
                      0.5 * static_cast<double>(dim) * std::log(2.0 * std::numbers::pi);
  return mode;
}

double NormalModesTarget::Mode::log_term(VectorView x) const {
  double squares = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    double scaled = 0.0;
    for (Index j = 0; j <= i; ++j) scaled += inverse_factor(i, j) * (x[j] - mean[j]);
    squares += scaled * scaled;
  }
  return log_constant - 0.5 * squares;
}

double NormalModesTarget::log_density(VectorView x) const {
  std::array<double, kMostModes> terms;
  for (std::size_t c = 0; c < modes_.size(); ++c) terms[c] = modes_[c].log_term(x);
  return log_sum_exp(std::span(terms).first(modes_.size()));
}

Vector NormalModesTarget::draw_exact(double beta, Stream& stream) const {
  std::array<double, kMostModes> masses;  // of (w_c N_c)^beta, up to a common factor
  for (std::size_t c = 0; c < modes_.size(); ++c) {
    masses[c] = std::exp(beta * modes_[c].log_constant) * modes_[c].factor.diagonal().prod();
  }
  const double heat = 1.0 / std::sqrt(beta);
  for (;;) {
    const auto c = draw_categorical(stream, std::span(masses).first(modes_.size()));
    const Mode& mode = modes_[static_cast<std::size_t>(c)];
    const Vector x = mode.mean + heat * draw_correlated_normals(stream, mode.factor);
    double bound = 0.0;
    for (const Mode& other : modes_) bound += std::exp(beta * other.log_term(x));
    if (draw_uniform(stream) * bound < std::exp(beta * log_density(x)) && contains(x)) return x;
  }
}

Index NormalModesTarget::mode_of(VectorView x) const {
  Index slab = 0;
  for (const double border : slab_borders_) slab += x[0] > border ? 1 : 0;
  return slab;
}

// At beta = 1 the box reaches 20 sds and more beyond every mode: the evidence is that of a normalised density.
Truth NormalModesTarget::truth() const {
  std::vector<MarginalTruth> marginals;
  for (Index d = 0; d < dim(); ++d) {
    const auto density = [&](double x) {
      double sum = 0.0;
      for (const Mode& mode : modes_) {
        const double scaled = (x - mode.mean[d]) / mode.sd(d);
        sum += mode.weight * std::exp(-0.5 * scaled * scaled) / (mode.sd(d) * std::sqrt(2.0 * std::numbers::pi));
      }
      return sum;
    };
    marginals.push_back(integrate_marginal(density, -kModesHalfWidth, kModesHalfWidth));
  }
  Truth truth = truth_from_marginals(0.0, marginals);
  truth.mode_weights.resize(num_modes());
  double below = 0.0;
  for (Index slab = 0; slab < num_modes(); ++slab) {
    double cumulative = 1.0;
    if (slab + 1 < num_modes()) {
      cumulative = 0.0;
      const double border = slab_borders_[static_cast<std::size_t>(slab)];
      for (const Mode& mode : modes_) cumulative += mode.weight * normal_cdf((border - mode.mean[0]) / mode.sd(0));
    }
    truth.mode_weights[slab] = cumulative - below;
    below = cumulative;
  }
  return truth;
}

}  // namespace ta2s2
