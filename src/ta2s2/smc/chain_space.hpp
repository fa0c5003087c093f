// Where chains move: in the target's own coordinates, or where its box has no border.
#pragma once

#include <optional>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/unbounded_target.hpp"

namespace ta2s2 {

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
