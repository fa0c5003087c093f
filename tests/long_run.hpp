// Whether the long part of the statistical tests is wanted: TA2S2_LONG=1 in the environment.
#pragma once

#include <cstdlib>
#include <string_view>

namespace ta2s2 {

inline bool is_long() {
  const char* value = std::getenv("TA2S2_LONG");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

}  // namespace ta2s2
