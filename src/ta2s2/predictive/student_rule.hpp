// Expectations of functions of a standard Student variable by quadrature, for outputs that are transformed: their laws
// have no moments in closed form.
#pragma once

#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// With T = sqrt(df) sinh(w / sqrt(df)) the density of w is proportional to cosh(w / sqrt(df))^-df: nearly normal, and
// analytic, so that the trapezoidal rule is exact to rounding for analytic functions of w. A kink in the middle of the
// law costs some 1e-3 of its size; a function that has one is best split there.
class StudentRule {
 public:
  explicit StudentRule(double df);

  struct Node {
    double t, weight;
  };
  const std::vector<Node>& nodes() const { return nodes_; }  // weights sum to one

  // E f(T).
  template <typename Function>
  double mean(const Function& f) const {
    double sum = 0.0;
    for (const Node& node : nodes_) sum += node.weight * f(node.t);
    return sum;
  }

  // Nodes and weights for E f(T) 1{T > end}, end >= 0.
  std::vector<Node> beyond(double end) const;

 private:
  double weight_at(double w) const;  // 1 at zero

  double root_df_, density_at_zero_ = 0.0;
  std::vector<Node> nodes_;
};

}  // namespace ta2s2
