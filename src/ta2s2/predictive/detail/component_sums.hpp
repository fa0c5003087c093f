// Sums over the components of a mixture that have a scale: plain, or on an instruction path.
#pragma once

#include <vector>

#include "ta2s2/base/aligned_buffer.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/simd/mixture_routines.hpp"

namespace ta2s2::detail {

struct Component {
  double weight;
  double mean;
  double scale;
};

// Weights and scales are positive and normal numbers; weights need not sum to 1. The table must outlive it.
class ComponentSums {
 public:
  ComponentSums(const StudentTable& table, const std::vector<Component>& components, InstructionSet path);

  double tail(double x, double side) const;  // of X > x for side = 1, of X < x for side = -1
  TailAndDensity tail_and_density(double x, double side) const;
  double log_density(double x) const;  // -inf without components
  double mean_absolute_deviation(double y) const;

 private:
  const StudentTable* table_;
  const MixtureRoutines* kernels_;  // null: plain
  std::vector<Component> components_;
  AlignedBuffer numbers_;
  MixtureProblem problem_;
};

}  // namespace ta2s2::detail
