// What a pass of EM reads, in the order in which it reads it.
#pragma once

#include <algorithm>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/smc/detail/em_pass.hpp"

namespace ta2s2::detail {

inline constexpr Index kMostLanes = 8;
inline constexpr Index kEmBlockVectors = 4;    // vectors of points that a pass takes at a time
inline constexpr double kLeastTotal = 1e-300;  // a point so far out that every term is zero counts for nothing
// Points whose sums are taken together, whoever takes them: whole blocks, and enough that the sums of sums cost little.
inline constexpr Index kEmStretchPoints = 512;

struct EmStretch {
  Index begin, end;
};

struct EmTable {
  EmTable(const EmPoints& data, const std::vector<TComponent>& components, int freedom);

  int freedom;  // nu
  Index dim, num_points, num_components;
  const double* weights;
  // Component c has density exp(log_scale) scales[c] radius^(-(nu + d)/2) at radius = nu + squared distance.
  double log_scale;
  std::vector<double> scales;

  const double* coordinate(Index r) const { return coordinates_ + r * num_points; }
  const double* mean(Index c) const { return numbers_.data() + c * (dim + triangle()); }
  // Rows of the lower triangle of the factor's inverse.
  const double* inverse(Index c) const { return mean(c) + dim; }
  Index num_sums() const { return 2 + dim + triangle(); }

 private:
  Index triangle() const { return dim * (dim + 1) / 2; }

  const double* coordinates_;
  std::vector<double> numbers_;
};

}  // namespace ta2s2::detail
