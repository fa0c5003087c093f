#include "ta2s2/smc/draw_lineage.hpp"

#include <algorithm>
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

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Excesses are relative to the mean of the same chains, which takes away one degree of freedom.
double unbiased(double sum, std::size_t num_chains) {
  if (num_chains < 2) return 0.0;
  return sum * static_cast<double>(num_chains) / static_cast<double>(num_chains - 1);
}

std::vector<double> sum_by_parent(const std::vector<double>& values, const std::vector<Index>& parents,
                                  std::size_t num_parents) {
  std::vector<double> sums(num_parents, 0.0);
  for (std::size_t c = 0; c < values.size(); ++c) sums[static_cast<std::size_t>(parents[c])] += values[c];
  return sums;
}

// The excess of term k, summed over the descendants of each chain of term `eldest`.
std::vector<double> sum_by_ancestor(std::span<const LevelExcess> terms, std::size_t k, std::size_t eldest) {
  std::vector<double> sums = terms[k].excess;
  for (; k > eldest; --k) sums = sum_by_parent(sums, terms[k].parents, terms[k - 1].excess.size());
  return sums;
}

// Variance of term k and twice its covariances with earlier ones.
double variance_added_by(std::span<const LevelExcess> terms, std::size_t k, std::size_t window) {
  const std::size_t eldest = k - std::min(k, window);
  const std::vector<double> own = sum_by_ancestor(terms, k, eldest);
  double sum = dot(own, own);
  for (std::size_t j = eldest; j < k; ++j) sum += 2.0 * dot(sum_by_ancestor(terms, j, eldest), own);
  return unbiased(sum, terms[k].excess.size());
}

}  // namespace

double level_variance(const LevelExcess& term) {
  return unbiased(dot(term.excess, term.excess), term.excess.size());
}

double lineage_variance(std::span<const LevelExcess> terms, std::size_t window) {
  double of_independent_terms = 0.0, by_descent = 0.0;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    of_independent_terms += level_variance(terms[k]);
    by_descent += variance_added_by(terms, k, window);
  }
  // Chains repeat errors, they do not undo them: less than this is chance, and could be negative.
  return std::max(of_independent_terms, by_descent);
}

}  // namespace ta2s2
