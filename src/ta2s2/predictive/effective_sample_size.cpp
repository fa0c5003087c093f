#include "ta2s2/predictive/effective_sample_size.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/draw_lineage.hpp"

namespace ta2s2 {
namespace {

double sample_variance(const Eigen::Ref<const Vector>& values) {
  return (values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1);
}

std::vector<LevelExcess> excess_by_level(const Vector& contributions, const WeightedPopulation& states) {
  std::vector<LevelExcess> levels;
  for (Index c = 0; c < states.num_chains(); ++c) {
    const auto chain = static_cast<std::size_t>(c);
    const auto level = static_cast<std::size_t>(states.chain_levels[chain]);
    if (levels.size() <= level) levels.resize(level + 1);
    const Index begin = states.chain_begin[chain];
    levels[level].excess.push_back(contributions.segment(begin, states.chain_begin[chain + 1] - begin).sum());
    if (level > 0) levels[level].parents.push_back(states.parents[chain]);
  }
  // Weights make the levels' sum right, not each level: what all chains of a level add alike is no scatter.
  for (auto& [excess, parents] : levels) {
    const double mean = std::accumulate(excess.begin(), excess.end(), 0.0) / static_cast<double>(excess.size());
    for (double& value : excess) value -= mean;
  }
  return levels;
}

}  // namespace

double kish_ess(std::span<const double> weights) {
  double largest = 0.0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (!(largest > 0.0)) throw Error(ErrorCode::usage, "An effective sample size needs at least one positive weight.");
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (const double weight : weights) {
    const double scaled = weight / largest;  // the squares of tiny weights would underflow
    sum += scaled;
    sum_of_squares += scaled * scaled;
  }
  return sum * sum / sum_of_squares;
}

double ess_from_chains(const Vector& values, const WeightedPopulation& states) {
  if (states.num_chains() < 2) throw Error(ErrorCode::usage, "An effective sample size from chains needs two of them.");
  const auto count = static_cast<double>(values.size());
  if (values.minCoeff() == values.maxCoeff()) return count;  // one state tells it exactly
  const Vector deviations = values.array() - states.weights.dot(values);
  const Vector contributions = states.weights.cwiseProduct(deviations);
  const double variance_of_mean = lineage_variance(excess_by_level(contributions, states));
  // The mean of squares about the grand mean lacks the variance of the grand mean itself.
  return variance_of_mean > 0.0 ? contributions.dot(deviations) / variance_of_mean + 1.0 : count;
}

double group_r_hat(const Vector& values, const Vector& weights, std::span<const Index> group_begin) {
  const Index num_groups = static_cast<Index>(group_begin.size()) - 1;
  if (num_groups < 2) throw Error(ErrorCode::usage, "A comparison of groups needs at least two of them.");
  Vector means(num_groups), variances(num_groups);
  for (Index g = 0; g < num_groups; ++g) {
    const Index begin = group_begin[static_cast<std::size_t>(g)];
    const Index size = group_begin[static_cast<std::size_t>(g) + 1] - begin;
    const Vector w = weights.segment(begin, size) / weights.segment(begin, size).sum();
    if (size < 2 || !(w.maxCoeff() < 1.0)) {
      throw Error(ErrorCode::usage, "A comparison of groups needs at least two values with weight in each.");
    }
    means[g] = w.dot(values.segment(begin, size));
    const Vector squares = (values.segment(begin, size).array() - means[g]).square();
    variances[g] = w.dot(squares) / (1.0 - w.squaredNorm());  // n - 1 instead of n, n by Kish
  }
  const double between = sample_variance(means), within = variances.mean();
  if (between == 0.0) return 1.0;
  return within > 0.0 ? std::min(std::sqrt(1.0 + between / within), kLargestRHat) : kLargestRHat;
}

std::optional<double> error_from_groups(std::span<const double> estimates) {
  if (estimates.size() < 2) return std::nullopt;
  const Eigen::Map<const Vector> values(estimates.data(), static_cast<Index>(estimates.size()));
  return std::sqrt(sample_variance(values) / static_cast<double>(values.size()));
}

}  // namespace ta2s2
