// How a system looks in every figure: by colour, and by a mark for those who do not see it.
#pragma once

#include <string>
#include <vector>

namespace ta2s2::detail {

struct SystemStyle {
  int colour;  // 0xRRGGBB
  int mark;    // gnuplot's point type
  int hollow;  // the same mark without its filling, if it has one
};

SystemStyle style_of(const std::string& system);

// Each name once, those with a style of their own first.
std::vector<std::string> in_order_of_style(const std::vector<std::string>& systems);

}  // namespace ta2s2::detail
