// A target on a box, seen from coordinates that have no border: u = log((z - low) / (high - z)), coordinate by
// coordinate. A uniform density on the box becomes a product of logistic ones and mass that leans on a border becomes a
// tail, both of which a mixture of t fits and a random walk crosses; in the box they are corners and walls.
#pragma once

#include <optional>

#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

class UnboundedTarget final : public DifferentiableTarget {
 public:
  // `target` must have a box and outlive this.
  explicit UnboundedTarget(const TargetDensity& target);
  // The same, with a gradient if the target has one.
  explicit UnboundedTarget(const DifferentiableTarget& target);

  Index dim() const override { return target_.dim(); }
  std::vector<std::string> names() const override { return target_.names(); }
  int lanes() const override { return target_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override;
  // The Jacobian belongs to the start density: E1 is the same in both coordinates, at every temperature.
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override;
  bool has_gradient() const override { return differentiable_ != nullptr && differentiable_->has_gradient(); }
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;

  // Points of the box, one per column, in these coordinates.
  Matrix from_box(const Matrix& points) const;

  // The same states in the box's coordinates, with the box's energies.
  Population in_box(Population population, Executor* executor = nullptr) const;

 private:
  struct InnerWorkspace;
  // Writes z, which may stand where u does, and returns -log prod dz/du.
  double to_box(const double* u, double* z) const;

  const TargetDensity& target_;
  const DifferentiableTarget* differentiable_ = nullptr;  // the same, or null
  Vector low_, width_;
  double log_volume_;
};

// Where chains move: in the target's own coordinates, or where its box has no border.
class ChainSpace {
 public:
  // `target` must outlive this.
  ChainSpace(const TargetDensity& target, const Move& kernel, Coordinates coordinates) : target_(target) {
    if (coordinates == Coordinates::unbounded && !kernel.keeps_to_the_box() && target.box() != nullptr) {
      unbounded_.emplace(target);
    }
  }

  // The target as chains see it.
  const TargetDensity& moved() const { return unbounded_ ? *unbounded_ : target_; }
  // The target's own points, where chains see them.
  Matrix entered(const Matrix& points) const { return unbounded_ ? unbounded_->from_box(points) : points; }
  // States as the user knows them.
  Population reported(const Population& population) const {
    return unbounded_ ? unbounded_->in_box(population) : population;
  }
  std::shared_ptr<const Population> reported(std::shared_ptr<const Population> population, Executor& executor) const {
    if (!unbounded_) return population;
    return std::make_shared<const Population>(unbounded_->in_box(*population, &executor));
  }

 private:
  const TargetDensity& target_;
  std::optional<UnboundedTarget> unbounded_;
};

}  // namespace ta2s2
