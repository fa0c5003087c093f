#include "ta2s2/emulator/effective_sample_size.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/error.hpp"

namespace ta2s2 {

namespace {

double sample_variance(const Eigen::Ref<const Vector>& values) {
  return (values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1);
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

double ess_from_chains(const Vector& values, const Vector& weights, std::span<const Index> chain_begin) {
  const auto num_chains = static_cast<double>(chain_begin.size()) - 1.0;
  if (num_chains < 2.0) throw Error(ErrorCode::usage, "An effective sample size from chains needs at least two.");
  if (values.minCoeff() == values.maxCoeff()) return static_cast<double>(values.size());  // one state tells it exactly
  const Vector deviations = values.array() - weights.dot(values);
  const Vector contributions = weights.cwiseProduct(deviations);
  double squares = 0.0;
  for (std::size_t c = 0; c + 1 < chain_begin.size(); ++c) {
    const double chain = contributions.segment(chain_begin[c], chain_begin[c + 1] - chain_begin[c]).sum();
    squares += chain * chain;
  }
  const double variance_of_mean = squares * num_chains / (num_chains - 1.0);
  // The mean of squares about the grand mean lacks the variance of the grand mean itself.
  return contributions.dot(deviations) / variance_of_mean + 1.0;
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
