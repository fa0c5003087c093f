// One pass of EM for a mixture of multivariate t over weighted points: E step and the sums of the M step together, so
// that no table of points by components is ever written.
#pragma once

#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2::detail {

// Weighted points, coordinate by coordinate, filled up with points of no weight to whole vectors.
class EmPoints {
 public:
  EmPoints() = default;
  // Columns of `points`; the weights sum to one.
  EmPoints(const Matrix& points, const Vector& weights);

  Index dim() const { return coordinates_.cols(); }
  Index size() const { return size_; }
  const Matrix& coordinates() const { return coordinates_; }  // (filled-up size, d)
  const Vector& weights() const { return weights_; }          // (filled-up size)

 private:
  Index size_ = 0;
  Matrix coordinates_;
  Vector weights_;
};

// What the M step needs of one component: sums over points of h_i = w_i pi_c t_c(x_i) / q(x_i), of
// p_i = h_i (nu + d) / (nu + distance_i^2), of p_i (x_i - mu_c) and of p_i (x_i - mu_c)(x_i - mu_c)'.
struct ComponentSums {
  double held = 0.0;
  double precise = 0.0;
  Vector first;
  Matrix second;  // its lower triangle
};

struct EmPass {
  std::vector<ComponentSums> sums;
  double mean_log_density = 0.0;  // of the components as they were given
};

// On the executor's threads if there is one; the bits are the same.
EmPass em_pass(const EmPoints& data, const std::vector<TComponent>& components, InstructionSet path,
               Executor* executor = nullptr, int freedom = kMixtureFreedom);

}  // namespace ta2s2::detail
