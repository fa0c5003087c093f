#include "ta2s2/emulator/effective_sample_size.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ta2s2/base/error.hpp"

namespace ta2s2 {

namespace {

double sample_variance(const Eigen::Ref<const Vector>& values) {
  return (values.array() - values.mean()).square().sum() / static_cast<double>(values.size() - 1);
}

void require_shape(MatrixView values, Index states, Index chains) {
  if (values.rows() >= states && values.cols() >= chains) return;
  throw Error(ErrorCode::usage, "Between-chain diagnostics need at least " + std::to_string(chains) + " chains of " +
                                    std::to_string(states) + " states, not " + std::to_string(values.cols()) +
                                    " chains of " + std::to_string(values.rows()) + ".");
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

double ess_from_chains(MatrixView values) {
  require_shape(values, 1, 2);
  const double count = static_cast<double>(values.size());
  const double num_chains = static_cast<double>(values.cols());
  const Vector chain_means = values.colwise().mean();
  const double variance_of_mean = sample_variance(chain_means) / num_chains;
  // The mean of squares about the grand mean lacks the variance of the grand mean itself.
  const double variance = (values.array() - values.mean()).square().mean() + variance_of_mean;
  if (variance == 0.0) return count;  // a constant is known exactly from one state
  return variance / variance_of_mean;
}

double split_r_hat(MatrixView values) {
  require_shape(values, 4, 1);
  const Index half = values.rows() / 2;  // an odd middle state is left out
  Vector means(2 * values.cols());
  Vector variances(2 * values.cols());
  for (Index j = 0; j < values.cols(); ++j) {
    const Vector first = values.col(j).head(half);
    const Vector last = values.col(j).tail(half);
    means[2 * j] = first.mean();
    means[2 * j + 1] = last.mean();
    variances[2 * j] = sample_variance(first);
    variances[2 * j + 1] = sample_variance(last);
  }
  const double within = variances.mean();
  const double between = sample_variance(means);
  if (between == 0.0) return 1.0;
  const double n = static_cast<double>(half);
  return std::sqrt((n - 1.0) / n + between / within);
}

double group_r_hat(const Vector& values, std::span<const Index> group_begin) {
  const Index num_groups = static_cast<Index>(group_begin.size()) - 1;
  if (num_groups < 2) throw Error(ErrorCode::usage, "A comparison of groups needs at least two of them.");
  Vector means(num_groups), variances(num_groups);
  for (Index g = 0; g < num_groups; ++g) {
    const Index begin = group_begin[static_cast<std::size_t>(g)];
    const Index size = group_begin[static_cast<std::size_t>(g) + 1] - begin;
    if (size < 2) throw Error(ErrorCode::usage, "A comparison of groups needs at least two values in each.");
    means[g] = values.segment(begin, size).mean();
    variances[g] = sample_variance(values.segment(begin, size));
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
