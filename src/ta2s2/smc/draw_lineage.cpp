#include "ta2s2/smc/draw_lineage.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ta2s2 {
namespace {

// Chains of the last level belong to the chain they started from; all others are families of their own.
std::vector<Index> family_of_chains(const WeightedPopulation& states) {
  std::vector<Index> families(states.chain_levels.size());
  std::iota(families.begin(), families.end(), Index{0});
  const Index last = *std::max_element(states.chain_levels.begin(), states.chain_levels.end());
  if (last == 0) return families;
  std::vector<Index> before;  // the chains of the level before the last, in its own order
  for (std::size_t c = 0; c < families.size(); ++c) {
    if (states.chain_levels[c] == last - 1) before.push_back(static_cast<Index>(c));
  }
  for (std::size_t c = 0; c < families.size(); ++c) {
    if (states.chain_levels[c] == last) families[c] = before[static_cast<std::size_t>(states.parents[c])];
  }
  return families;
}

std::vector<Index> group_of_draws(const DrawLineage& lineage) {
  std::vector<Index> groups;
  for (std::size_t g = 0; g + 1 < lineage.group_begin.size(); ++g) {
    groups.insert(groups.end(), static_cast<std::size_t>(lineage.group_begin[g + 1] - lineage.group_begin[g]),
                  static_cast<Index>(g));
  }
  return groups;
}

}  // namespace

DrawLineage lineage_of(const WeightedPopulation& states, const std::vector<Index>& kept) {
  const std::vector<Index> families = family_of_chains(states);
  DrawLineage lineage;
  for (const Index state : kept) {
    lineage.families.push_back(families[static_cast<std::size_t>(states.chain_of(state))]);
  }
  for (Index g = 0; g <= states.num_groups(); ++g) {
    const auto first = std::lower_bound(kept.begin(), kept.end(), states.first_state_of_group(g));
    lineage.group_begin.push_back(first - kept.begin());
  }
  return lineage;
}

DrawLineage assumed_lineage(Index num_draws, double effective_sample_size) {
  const auto num_families = std::clamp<Index>(static_cast<Index>(effective_sample_size), 1, num_draws);
  DrawLineage lineage{{}, {0, num_draws}};
  for (Index i = 0; i < num_draws; ++i) lineage.families.push_back(i * num_families / num_draws);
  return lineage;
}

StartStates start_states(const Matrix& draws, const Vector& weights, const DrawLineage& lineage, Index count,
                         Stream& stream) {
  const std::vector<Index> groups = group_of_draws(lineage);
  const auto key = [&](Index i) {
    return std::pair(groups[static_cast<std::size_t>(i)], lineage.families[static_cast<std::size_t>(i)]);
  };
  std::vector<Index> order(static_cast<std::size_t>(draws.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });

  std::vector<Index> chosen = systematic_resample(weights(order), count, stream);
  for (Index& i : chosen) i = order[static_cast<std::size_t>(i)];
  StartStates start{draws(Eigen::all, chosen), {}, {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool is_new_group = i == 0 || key(chosen[i]).first != key(chosen[i - 1]).first;
    if (is_new_group) start.group_begin.push_back(static_cast<Index>(start.chain_begin.size()));
    if (i == 0 || key(chosen[i]) != key(chosen[i - 1])) start.chain_begin.push_back(static_cast<Index>(i));
  }
  start.group_begin.push_back(static_cast<Index>(start.chain_begin.size()));
  start.chain_begin.push_back(static_cast<Index>(chosen.size()));
  return start;
}

}  // namespace ta2s2
