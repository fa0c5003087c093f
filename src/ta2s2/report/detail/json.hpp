// The record's JSON, and numbers in it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace ta2s2::detail {

using Json = nlohmann::ordered_json;

// As text for people: `digits` significant ones.
inline std::string number_text(double value, int digits = 4) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// Three digits, and more where what is missing to 100% is the news.
inline std::string percent_text(double share, int digits = 3) {
  return number_text(100.0 * share, share > 0.99 && share < 1.0 ? 4 : digits) + "%";
}

// "1 run", "2 runs".
inline std::string counted(long long count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// A number that is drawn or read, not computed with: eight digits keep the file small.
inline double shown(double value) {
  return std::strtod(number_text(value, 8).c_str(), nullptr);
}

}  // namespace ta2s2::detail
