// Independent logarithms of gamma variables: skewed to the left, the more so the hotter.
#pragma once

#include "targets/box_target.hpp"

namespace ta2s2 {

// Density proportional to prod exp(a_d x_d - e^(x_d)), a_d >= 20. Tempered, beta e^(x_d) ~ Gamma(beta a_d): at tau = 50
// the left tail falls as exp(0.4 x) and still has all but 1e-7 of its mass in the box.
class SkewedTarget final : public BoxTarget {
 public:
  explicit SkewedTarget(Index dim);

  const Vector& shapes() const { return shapes_; }
  Vector draw_exact(double beta, Stream& stream) const override;
  Truth truth() const override;

 protected:
  double log_density(VectorView x) const override;

 private:
  Vector shapes_;
};

}  // namespace ta2s2
