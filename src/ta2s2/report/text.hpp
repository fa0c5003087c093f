// Numbers and names as text for people, and the files of the page.
#pragma once

#include <map>
#include <string>

#include "ta2s2/base/text.hpp"

namespace ta2s2::report {

// As a shell takes it: one word.
inline std::string shell_word(const std::string& text) {
  const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.,=/:";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// The files of report/page and report/picture and the plotting library, as text (cmake/embed.cmake).
const std::map<std::string, std::string>& page_files();

// One of them by its name, as "report.css".
inline const std::string& page_file(const std::string& name) {
  return page_files().at(name);
}

}  // namespace ta2s2::report
