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

}  // namespace ta2s2
