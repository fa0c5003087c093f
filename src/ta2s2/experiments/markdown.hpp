// Markdown tables.
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

std::string markdown_line(const std::vector<std::string>& cells);
std::string markdown_head(const std::vector<std::string>& cells);

// To so many significant digits; empty if it is NaN.
std::string digits(double value, int count = 4);

}  // namespace ta2s2
