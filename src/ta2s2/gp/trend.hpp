// The mean's regressors h(x), in unit-cube coordinates.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// "none", "constant", "linear" (constant and every input) or "terms(a,b,a^2)" (constant, chosen inputs,
// chosen squares).
class Trend {
 public:
  Trend(const std::string& spec,
        const std::vector<std::string>& inputs);  // Error{usage} on an unknown spec or input

  Index size() const { return static_cast<Index>(terms_.size()); }
  std::string spec() const { return spec_; }
  Matrix columns(MatrixView X_unit) const;  // (n, size())

 private:
  struct Term {
    Index input;
    int power;  // 0: the constant
  };

  void add_chosen_terms(const std::vector<std::string>& names, const std::vector<std::string>& inputs);

  std::string spec_;
  std::vector<Term> terms_;
};

}  // namespace ta2s2
