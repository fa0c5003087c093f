// Two or three normal modes of unequal weight and shape.
#pragma once

#include "targets/box_target.hpp"

namespace ta2s2 {

class NormalModesTarget final : public BoxTarget {
 public:
  static NormalModesTarget two(Index dim);
  static NormalModesTarget three(Index dim);

  // Rejection: p^beta <= sum_c (w_c N_c)^beta for beta <= 1, and each (w_c N_c)^beta is a normal of covariance S_c /
  // beta.
  Vector draw_exact(double beta, Stream& stream) const override;
  Index num_modes() const override { return static_cast<Index>(modes_.size()); }
  Index mode_of(VectorView x) const override;  // which of the slabs across the first coordinate
  Truth truth() const override;

 protected:
  double log_density(VectorView x) const override;

 private:
  struct Mode {
    double weight;
    Vector mean;
    Matrix factor, inverse_factor;  // of its covariance, lower triangular
    double log_constant;            // log(weight / (2 pi)^(d/2) |factor|)

    double log_term(VectorView x) const;
    double sd(Index d) const { return factor.row(d).norm(); }
  };
  struct Shape {
    double weight, first_mean, other_mean, sd, correlation;
  };

  NormalModesTarget(Index dim, const std::vector<Shape>& shapes, std::vector<double> slab_borders);
  static Mode make_mode(Index dim, const Shape& shape);

  std::vector<Mode> modes_;
  std::vector<double> slab_borders_;
};

}  // namespace ta2s2
