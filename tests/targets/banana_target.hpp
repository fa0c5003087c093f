// Curved pairs: the second coordinate of a pair follows the square of the first.
#pragma once

#include "targets/box_target.hpp"

namespace ta2s2 {

// x1 ~ N(0, 1), x2 | x1 ~ N(c (x1^2 - 1), s^2) for each pair, and a normal for the last of an odd number of
// coordinates. Tempered, both normals have their variances times tau, cut off at the box.
class BananaTarget final : public BoxTarget {
 public:
  explicit BananaTarget(Index dim);  // at least 2

  Vector draw_exact(double beta, Stream& stream) const override;
  Truth truth() const override;

 protected:
  double log_density(VectorView x) const override;
};

}  // namespace ta2s2
