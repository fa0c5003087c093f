// Every exact target by name, in every dimension it is tested in. A new target is one new file and one new line here.
#pragma once

#include <functional>

#include "targets/exact_target.hpp"

namespace ta2s2 {

struct NamedTarget {
  std::string name;  // "Banana_d6"
  Index dim;
  std::function<std::shared_ptr<const ExactTarget>()> make;
};

// Dimensions 1 (where the target exists), 2, 3, 6 and 11; Franke's posterior in 2 and 3.
std::vector<NamedTarget> target_catalogue();

// Throws std::out_of_range if there is none of that name.
std::shared_ptr<const ExactTarget> make_named_target(const std::string& name);

}  // namespace ta2s2
