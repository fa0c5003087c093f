// Numbers and names as text for people, and the files of the page.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace ta2s2::report {

// `digits` significant ones.
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

inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// As a shell takes it: one word.
inline std::string shell_word(const std::string& text) {
  const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.,=/:";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// A file of report/page or the plotting library by its name, as "report.css".
const std::string& page_file(const std::string& name);

}  // namespace ta2s2::report
