#include "ta2s2/smc/lineage_variance.hpp"

#include <algorithm>
#include <numeric>

namespace ta2s2 {
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
