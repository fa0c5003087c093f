#include "ta2s2/smc/path_target.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/error.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// Phi(z), accurate in the lower tail.
double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

// Phi^-1(p) for p <= 1/2.
double lower_normal_quantile(double p) {
  constexpr double kLeast = 1e-300;
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * std::max(p, kLeast));
}

double normal_energy(double z) {
  static const double half_log_two_pi = 0.5 * std::log(2.0 * std::numbers::pi);
  return 0.5 * z * z + half_log_two_pi;
}

}  // namespace

struct SamplingSpace::InnerWorkspace final : Workspace {
  std::unique_ptr<Workspace> inner;
  Matrix x, slopes;  // of a block
  Vector of_one;
};

SamplingSpace::SamplingSpace(const TargetDensity& target, std::vector<bool> is_linear)
    : target_(target),
      differentiable_(dynamic_cast<const DifferentiableTarget*>(&target)),
      law_(target.start_law()),
      is_linear_(std::move(is_linear)),
      walls_{Vector::Constant(law_.low.size(), -kInfinity), Vector::Constant(law_.low.size(), kInfinity)},
      scales_(Vector::Ones(law_.low.size())),
      law_constants_(law_.low.size()) {
  if (differentiable_ != nullptr && !differentiable_->has_gradient()) differentiable_ = nullptr;
  for (Index k = 0; k < dim(); ++k) {
    const double width = law_.high[k] - law_.low[k], rate = law_.rate[k];
    law_constants_[k] = rate > 0.0 ? std::log(-std::expm1(-rate * width) / rate) : std::log(width);
    if (!this->is_linear(k)) continue;
    walls_.low[k] = law_.low[k];
    walls_.high[k] = law_.high[k];
    scales_[k] = 0.25 * width;
  }
}

std::unique_ptr<Workspace> SamplingSpace::make_workspace() const {
  auto workspace = std::make_unique<InnerWorkspace>();
  workspace->inner = target_.make_workspace();
  return workspace;
}

double SamplingSpace::law_energy(Index k, double x) const {
  return law_constants_[k] + law_.rate[k] * (x - law_.low[k]);
}

// Both tails of the normal distribution function are taken from their own side: 1 - Phi(9) is no 0 here.
SamplingSpace::CoordinatePoint SamplingSpace::at(Index k, double z) const {
  if (is_linear(k)) return {z, 1.0};
  const double low = law_.low[k], high = law_.high[k], rate = law_.rate[k];
  const double below = normal_cdf(z), above = normal_cdf(-z);
  double x = below < 0.5 ? low + (high - low) * below : high - (high - low) * above;
  if (rate > 0.0) {
    const double inside = -std::expm1(-rate * (high - low));
    x = below < 0.5 ? low - std::log1p(-inside * below) / rate
                    : low - std::log(std::exp(-rate * (high - low)) + inside * above) / rate;
    x = std::min(std::max(x, low), high);
  }
  return {x, std::exp(law_energy(k, x) - normal_energy(z))};
}

double SamplingSpace::score(Index k, double x) const {
  const double low = law_.low[k], high = law_.high[k], rate = law_.rate[k];
  double below = (x - low) / (high - low), above = (high - x) / (high - low);
  if (rate > 0.0) {
    const double inside = -std::expm1(-rate * (high - low));
    below = -std::expm1(-rate * (x - low)) / inside;
    above = std::exp(-rate * (x - low)) * -std::expm1(-rate * (high - x)) / inside;
  }
  return below < 0.5 ? lower_normal_quantile(below) : -lower_normal_quantile(above);
}

Matrix SamplingSpace::to_box(const Matrix& z) const {
  Matrix x(z.rows(), z.cols());
  for (Index i = 0; i < z.cols(); ++i) {
    for (Index k = 0; k < dim(); ++k) x(k, i) = at(k, z(k, i)).x;
  }
  return x;
}

Matrix SamplingSpace::from_box(const Matrix& x) const {
  Matrix z(x.rows(), x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    for (Index k = 0; k < dim(); ++k) z(k, i) = is_linear(k) ? x(k, i) : score(k, x(k, i));
  }
  return z;
}

Vector SamplingSpace::slopes(VectorView z) const {
  Vector slopes(dim());
  for (Index k = 0; k < dim(); ++k) slopes[k] = at(k, z[k]).slope;
  return slopes;
}

double SamplingSpace::start_energy(VectorView z) const {
  double sum = 0.0;
  for (Index k = 0; k < dim(); ++k) sum += is_linear(k) ? law_energy(k, z[k]) : normal_energy(z[k]);
  return sum;
}

double SamplingSpace::start_energy(VectorView z, Vector& gradient) const {
  gradient.resize(dim());
  for (Index k = 0; k < dim(); ++k) gradient[k] = is_linear(k) ? law_.rate[k] : z[k];
  return start_energy(z);
}

void SamplingSpace::enter(MatrixView points, InnerWorkspace& workspace) const {
  workspace.x.resize(dim(), points.cols());
  workspace.slopes.resize(dim(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    for (Index k = 0; k < dim(); ++k) {
      const CoordinatePoint point = at(k, points(k, i));
      workspace.x(k, i) = point.x;
      workspace.slopes(k, i) = point.slope;
    }
  }
}

Energy SamplingSpace::left(const Energy& of_target, VectorView z, VectorView x) const {
  if (!of_target.possible()) return of_target;
  double law = 0.0;
  for (Index k = 0; k < dim(); ++k) law += law_energy(k, x[k]);
  const Energy energy{start_energy(z), of_target.total() - law, Impossible::no};
  return std::isfinite(energy.start) ? energy : Energy::impossible(Impossible::not_finite);
}

Energy SamplingSpace::in_box(const Energy& energy, VectorView z) const {
  if (!energy.possible()) return energy;
  double law = 0.0;
  for (Index k = 0; k < dim(); ++k) law += law_energy(k, at(k, z[k]).x);
  return {law, energy.total() - start_energy(z), Impossible::no};
}

void SamplingSpace::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  auto& own = static_cast<InnerWorkspace&>(workspace);
  enter(points, own);
  target_.energies(own.x, *own.inner, out);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    energy = left(energy, points.col(i), own.x.col(i));
  }
}

void SamplingSpace::energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                                           Eigen::Ref<Matrix> gradients) const {
  auto& own = static_cast<InnerWorkspace&>(workspace);
  enter(points, own);
  differentiable_->energies_and_gradients(own.x, *own.inner, out, gradients);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    energy = left(energy, points.col(i), own.x.col(i));
    // d/dz of E0(z) + H(x(z)) + log p_0(x(z)).
    for (Index k = 0; k < dim(); ++k) {
      const double of_start = is_linear(k) ? law_.rate[k] : points(k, i);
      gradients(k, i) = (gradients(k, i) - law_.rate[k]) * own.slopes(k, i) + of_start;
    }
    if (energy.possible() && !gradients.col(i).allFinite()) energy = Energy::impossible(Impossible::not_finite);
  }
}

Energy SamplingSpace::energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const {
  gradient.resize(dim());
  Energy energy;
  energies_and_gradients(point, workspace, {&energy, 1}, gradient);
  return energy;
}

Vector SamplingSpace::draw_start(Stream& stream) const {
  Vector z(dim());
  for (Index k = 0; k < dim(); ++k) {
    if (!is_linear(k)) {
      z[k] = draw_normal(stream);
      continue;
    }
    const double u = draw_uniform(stream), width = law_.high[k] - law_.low[k], rate = law_.rate[k];
    z[k] = rate > 0.0 ? law_.low[k] - std::log1p(std::expm1(-rate * width) * u) / rate : law_.low[k] + width * u;
  }
  return z;
}

}  // namespace ta2s2
