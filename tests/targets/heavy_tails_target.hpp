// Independent Student t with 3 degrees of freedom, cut off at the box: polynomial tails, far beyond what any fitted
// normal or t with 6 degrees of freedom expects.
#pragma once

#include "targets/box_target.hpp"

namespace ta2s2 {

class HeavyTailsTarget final : public BoxTarget {
 public:
  explicit HeavyTailsTarget(Index dim);

  Vector draw_exact(double beta, Stream& stream) const override;
  Truth truth() const override;

 protected:
  double log_density(VectorView x) const override;
};

}  // namespace ta2s2
