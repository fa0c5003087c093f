// The order in which every executor takes tasks.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2::detail {

inline std::vector<Index> costliest_first(std::span<const double> costs) {
  std::vector<Index> order(costs.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return costs[static_cast<std::size_t>(a)] > costs[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace ta2s2::detail
