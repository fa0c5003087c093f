// Squared distances from a point to the components of a mixture, four components side by side.
#pragma once

#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

struct TComponent;

inline constexpr Index kComponentsTogether = 4;

class ComponentDistances {
 public:
  ComponentDistances() = default;
  explicit ComponentDistances(const std::vector<TComponent>& components);

  // (x - mu_c)' S_c^-1 (x - mu_c) to squared[c]; zeros fill up the last four.
  void measure(const double* x, double* squared) const;

 private:
  using Fours = Eigen::Array<double, kComponentsTogether, Eigen::Dynamic>;

  Index dim_ = 0;
  Fours means_;  // four components' coordinates after another four's
  // Rows of the inverse factors, four by four, column by column: four sums of four components grow side by side.
  Fours inverse_rows_;
};

}  // namespace ta2s2
