// Mass piled against the border of the box: in the corner of each pair of coordinates, and against the upper end of the
// last of an odd number.
#pragma once

#include "targets/box_target.hpp"

namespace ta2s2 {

// Pairs are correlated normals centred on the box's lower corner, a single coordinate is exponential from its upper
// end.
class BorderTarget final : public BoxTarget {
 public:
  explicit BorderTarget(Index dim);

  Vector draw_exact(double beta, Stream& stream) const override;
  Truth truth() const override;

 protected:
  double log_density(VectorView x) const override;
};

}  // namespace ta2s2
