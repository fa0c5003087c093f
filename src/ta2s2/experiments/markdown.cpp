#include "ta2s2/experiments/markdown.hpp"

#include <cmath>
#include <cstdio>

namespace ta2s2 {

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string markdown_head(const std::vector<std::string>& cells) {
  return markdown_line(cells) + markdown_line(std::vector<std::string>(cells.size(), "---"));
}

std::string digits(double value, int count) {
  if (std::isnan(value)) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", count, value);
  return text;
}

}  // namespace ta2s2
