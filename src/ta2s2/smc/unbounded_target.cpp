#include "ta2s2/smc/unbounded_target.hpp"

#include <cmath>

namespace ta2s2 {
namespace {

double logistic(double u) {
  return u >= 0.0 ? 1.0 / (1.0 + std::exp(-u)) : std::exp(u) / (1.0 + std::exp(u));
}

// A start on the border itself would be infinitely far out; beyond this the box cannot tell a point from its border.
constexpr double kFarthestStart = 36.0;

// -log prod dz/du = -sum log(width s (1 - s)), s the logistic function of u.
double minus_log_jacobian(VectorView u, VectorView width) {
  double sum = 0.0;
  for (Index d = 0; d < u.size(); ++d) {
    const double distance = std::abs(u[d]);
    sum += distance + 2.0 * std::log1p(std::exp(-distance)) - std::log(width[d]);
  }
  return sum;
}

}  // namespace

struct UnboundedTarget::InnerWorkspace final : Workspace {
  std::unique_ptr<Workspace> inner;
  Matrix points;
};

UnboundedTarget::UnboundedTarget(const TargetDensity& target)
    : target_(target), low_(target.box()->low), width_(target.box()->high - target.box()->low) {}

std::unique_ptr<Workspace> UnboundedTarget::make_workspace() const {
  auto workspace = std::make_unique<InnerWorkspace>();
  workspace->inner = target_.make_workspace();
  return workspace;
}

Vector UnboundedTarget::to_box(VectorView u) const {
  return low_ + width_.cwiseProduct(u.unaryExpr(&logistic));
}

void UnboundedTarget::energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const {
  auto& scratch = static_cast<InnerWorkspace&>(workspace);
  scratch.points.resize(points.rows(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) scratch.points.col(i) = to_box(points.col(i));
  target_.energies(scratch.points, *scratch.inner, out);
  for (Index i = 0; i < points.cols(); ++i) {
    Energy& energy = out[static_cast<std::size_t>(i)];
    if (energy.possible()) energy.start += minus_log_jacobian(points.col(i), width_);
  }
}

Vector UnboundedTarget::draw_start(Stream& stream) const {
  const Vector z = target_.draw_start(stream);
  const Vector u = ((z - low_).array() / (low_ + width_ - z).array()).log();
  return u.cwiseMax(-kFarthestStart).cwiseMin(kFarthestStart);
}

Population UnboundedTarget::in_box(Population population) const {
  for (Index i = 0; i < population.size(); ++i) {
    Energy& energy = population.energies[static_cast<std::size_t>(i)];
    if (energy.possible()) energy.start -= minus_log_jacobian(population.positions.col(i), width_);
    population.positions.col(i) = to_box(population.positions.col(i));
  }
  return population;
}

}  // namespace ta2s2
