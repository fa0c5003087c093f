// Sampling positions z = (log phi_1, ..., log phi_p [, z_nugget] [, log_shape] [, parameters of the output's
// transformation]) and the natural parameters they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/gp/output_transform.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

inline constexpr Interval kDefaultLogPhiBox{-7.0, 7.0};
inline constexpr Interval kDefaultNuggetBox{-35.0, 10.0};  // of z_nugget
inline constexpr const char* kNuggetName = "z_nugget";
inline constexpr double kNuggetLowerBound = 1e-12;  // l_b of (2.14)

// (5.1): nugget = l_b + (1 - l_b) / (1 + exp(-z)), its inverse, and log |dnugget/dz|.
double nugget_from_position(double z);
double position_from_nugget(double nugget);
double log_nugget_jacobian(double z);

struct GpParameters {
  Vector phi;
  double nugget = 0.0;
  double log_shape = 0.0;  // of a correlation that has a shape
  Vector transform = {};   // parameters of the output's transformation
};

// The box is part of every model (docs/math.md, section 2): a density is zero outside it.
class ParameterSpace {
 public:
  static ParameterSpace with_sampled_nugget(std::vector<std::string> inputs, Interval log_phi = kDefaultLogPhiBox,
                                            Interval z_nugget = kDefaultNuggetBox);
  static ParameterSpace with_fixed_nugget(std::vector<std::string> inputs, double nugget,
                                          Interval log_phi = kDefaultLogPhiBox);

  // The same with the coordinate of the correlation's shape, if it has one, and those of the output's transformation.
  ParameterSpace with_normal_coordinates(const std::optional<NormalCoordinate>& shape,
                                         const std::vector<NormalCoordinate>& transform) const;

  Index dim() const { return low_.size(); }
  Index num_inputs() const { return static_cast<Index>(inputs_.size()); }
  bool samples_nugget() const { return samples_nugget_; }
  bool samples_shape() const { return samples_shape_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  std::vector<std::string> names() const;  // "log_phi_<input>"..., kNuggetName, those of the normal coordinates

  // Coordinates with a normal prior: the last ones.
  const std::vector<NormalCoordinate>& normal_coordinates() const { return normal_; }
  Index num_normal() const { return static_cast<Index>(normal_.size()); }
  Index first_normal() const { return dim() - num_normal(); }
  Index first_transform() const { return first_normal() + (samples_shape_ ? 1 : 0); }

  const Vector& low() const { return low_; }
  const Vector& high() const { return high_; }
  double log_volume() const { return (high_ - low_).array().log().sum(); }
  // False if any coordinate is NaN. Here, and without a branch per coordinate, as every evaluation asks.
  bool contains(const VectorView& z) const {
    int outside = 0;
    for (Index d = 0; d < dim(); ++d)
      outside |= static_cast<int>(!(low_[d] <= z[d])) | static_cast<int>(!(z[d] <= high_[d]));
    return outside == 0;
  }

  double nugget(VectorView z) const;
  GpParameters natural(VectorView z) const;
  void natural(VectorView z, GpParameters& out) const;  // allocates nothing once out has its size
  Vector position(const GpParameters& parameters) const;

  // log |dphi_d/dz_d| = z_d for each input, then the nugget's; the others are their own natural parameters.
  Vector log_jacobians(VectorView z) const;

 private:
  ParameterSpace(std::vector<std::string> inputs, Interval log_phi);

  void append(const Interval& box);

  std::vector<std::string> inputs_;
  std::vector<NormalCoordinate> normal_;
  Vector low_, high_;
  bool samples_nugget_ = false, samples_shape_ = false;
  double fixed_nugget_ = 0.0;
};

}  // namespace ta2s2
