#include "ta2s2/smc/unbounded_target.hpp"

#include <cmath>

namespace ta2s2 {
namespace {

// A start on the border itself would be infinitely far out; beyond this the box cannot tell a point from its border.
constexpr double kFarthestStart = 36.0;

}  // namespace

struct UnboundedTarget::InnerWorkspace final : Workspace {
  std::unique_ptr<Workspace> inner;
  Matrix points;
  Vector minus_log_jacobians;
};

UnboundedTarget::UnboundedTarget(const TargetDensity& target)
    : target_(target),
      low_(target.box()->low),
      width_(target.box()->high - target.box()->low),
      log_volume_(width_.array().log().sum()) {}

UnboundedTarget::UnboundedTarget(const DifferentiableTarget& target)
    : UnboundedTarget(static_cast<const TargetDensity&>(target)) {
  differentiable_ = &target;
}

std::unique_ptr<Workspace> UnboundedTarget::make_workspace() const {
  auto workspace = std::make_unique<InnerWorkspace>();
  workspace->inner = target_.make_workspace();
  return workspace;
}

// z = low + width s, s = 1 / (1 + exp(-u)) the logistic function. With e = exp(-|u|), dz/du = width e / (1 + e)^2: one
// exponential per coordinate and one logarithm per point serve both.
double UnboundedTarget::to_box(const double* u, double* z) const {
  double sum = -log_volume_, product = 1.0;
  for (Index d = 0; d < low_.size(); ++d) {
    const double distance = std::abs(u[d]);
    const double e = std::exp(-distance);
    const double near = 1.0 / (1.0 + e);  // s on the side of the farther border
    z[d] = low_[d] + width_[d] * (u[d] >= 0.0 ? near : e * near);
    sum += distance;
    product *= 1.0 + e;
  }
  return sum + 2.0 * std::log(product);
}

void UnboundedTarget::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  auto& scratch = static_cast<InnerWorkspace&>(workspace);
  scratch.points.resize(points.rows(), points.cols());
  scratch.minus_log_jacobians.resize(points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    scratch.minus_log_jacobians[i] = to_box(points.col(i).data(), scratch.points.col(i).data());
  }
  target_.energies(scratch.points, *scratch.inner, out);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    if (energy.possible()) energy.start += scratch.minus_log_jacobians[i];
  }
}

// With dz/du = width s (1 - s), where s (1 - s) = e / (1 + e)^2, and -d log(dz/du)/du = 2 s - 1.
Energy UnboundedTarget::energy_and_gradient(VectorView u, Workspace& workspace, Vector& gradient) const {
  auto& scratch = static_cast<InnerWorkspace&>(workspace);
  scratch.points.resize(u.size(), 1);
  const double minus_log_jacobian = to_box(u.data(), scratch.points.data());
  Energy energy = differentiable_->energy_and_gradient(scratch.points.col(0), *scratch.inner, gradient);
  if (!energy.possible()) return energy;
  energy.start += minus_log_jacobian;
  for (Index d = 0; d < u.size(); ++d) {
    const double e = std::exp(-std::abs(u[d]));
    gradient[d] = gradient[d] * width_[d] * e / ((1.0 + e) * (1.0 + e)) + std::tanh(0.5 * u[d]);
  }
  return energy;
}

Vector UnboundedTarget::draw_start(Stream& stream) const {
  return from_box(target_.draw_start(stream));
}

Matrix UnboundedTarget::from_box(const Matrix& points) const {
  const Vector high = low_ + width_;
  Matrix entered(points.rows(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    const auto z = points.col(i);
    entered.col(i) = ((z - low_).array() / (high - z).array()).log().max(-kFarthestStart).min(kFarthestStart);
  }
  return entered;
}

Population UnboundedTarget::in_box(Population population, Executor* executor) const {
  constexpr Index kStretch = 512;
  for_each_stretch(executor, population.size(), kStretch, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Energy& energy = population.energies[static_cast<std::size_t>(i)];
      double* position = population.positions.col(i).data();
      const double minus_log_jacobian = to_box(position, position);
      if (energy.possible()) energy.start -= minus_log_jacobian;
    }
  });
  return population;
}

}  // namespace ta2s2
