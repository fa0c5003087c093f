// What is said of an input or output that never changes, wherever the runs came from.
#pragma once

#include <string>

#include "ta2s2/data/detail/place.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::detail {

inline constexpr std::size_t kLeastRuns = 3;

inline bool is_constant(VectorView values) {
  return (values.array() == values[0]).all();
}

inline std::string constant_input_notice(const std::string& name, double value) {
  return "input " + shown(name) + " is " + shown(value) + " in every run and was left out";
}

}  // namespace ta2s2::detail
