#include "ta2s2/experiments/detail/figure_style.hpp"

#include <algorithm>
#include <array>

namespace ta2s2::detail {
namespace {

struct NamedStyle {
  const char* system;
  SystemStyle style;
};

// Okabe and Ito (2008); their yellow darkened to be seen on white, and greys for black, on which no median would show.
constexpr std::array<NamedStyle, 9> kStyles{{
    {"exact", {0x0072B2, 7, 6}},
    {"published", {0xD55E00, 5, 4}},
    {"map", {0x555555, 2, 2}},
    {"plgp", {0xE69F00, 9, 8}},
    {"tmcmc", {0x56B4E9, 11, 10}},
    {"aims", {0x009E73, 13, 12}},
    {"slice", {0xCC79A7, 15, 14}},
    {"elliptical", {0x999999, 3, 3}},
    {"nuts", {0x9A8F00, 1, 1}},
}};
constexpr SystemStyle kOther{0x555555, 1, 1};

std::size_t rank_of(const std::string& system) {
  const auto found = std::ranges::find_if(kStyles, [&](const NamedStyle& style) { return style.system == system; });
  return static_cast<std::size_t>(found - kStyles.begin());
}

}  // namespace

SystemStyle style_of(const std::string& system) {
  const std::size_t rank = rank_of(system);
  return rank < kStyles.size() ? kStyles[rank].style : kOther;
}

std::vector<std::string> in_order_of_style(const std::vector<std::string>& systems) {
  std::vector<std::string> names;
  for (const std::string& system : systems) {
    if (std::ranges::find(names, system) == names.end()) names.push_back(system);
  }
  std::ranges::stable_sort(names, {}, rank_of);
  return names;
}

}  // namespace ta2s2::detail
