// Letter case of ASCII text, the same in every locale.
#pragma once

#include <string>
#include <string_view>

namespace ta2s2::detail {

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace ta2s2::detail
