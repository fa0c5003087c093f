#include "ta2s2/predictive/leave_one_out.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/predictive/pareto_smoothing.hpp"

namespace ta2s2 {
namespace {

// Draws per task: one costs n^3 operations.
constexpr Index kDrawsPerTask = 8;

// A fit needs 3 degrees of freedom; leaving a run out takes one.
void require_enough_runs(const Predictive& predictive) {
  const auto freedom = static_cast<Index>(predictive.degrees_of_freedom());
  if (freedom > 3) return;
  throw Error(ErrorCode::bad_data,
              std::to_string(predictive.num_runs()) + " runs are too few to predict each from all others: at least " +
                  std::to_string(predictive.num_runs() + 4 - freedom) + " are needed with this trend");
}

std::span<const double> column(const Matrix& matrix, Index j) {
  return {matrix.col(j).data(), static_cast<std::size_t>(matrix.rows())};
}

// log of the Student t density but for a constant that is common to all draws.
double log_density(double residual, double scale2, double df) {
  return -0.5 * std::log(scale2) - 0.5 * (df + 1.0) * std::log1p(residual * residual / (df * scale2));
}

// Means and scales of every run in standardised units, a draw per column: n means, then n squared scales.
Matrix conditional_predictions(const Predictive& predictive, Executor& executor) {
  const Index n = predictive.num_runs(), draws = predictive.num_draws();
  const auto task = [&](Index group, int) {
    Payload payload;
    const Index end = std::min((group + 1) * kDrawsPerTask, draws);
    for (Index i = group * kDrawsPerTask; i < end; ++i) {
      const ConditionalPredictor predictor(predictive.model_of(i), predictive.parameters_of(i));
      const auto left_out = predictor.leave_one_out();
      payload.insert(payload.end(), left_out.mean.begin(), left_out.mean.end());
      payload.insert(payload.end(), left_out.scale2.begin(), left_out.scale2.end());
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>((draws + kDrawsPerTask - 1) / kDrawsPerTask), 1.0);
  Matrix all(2 * n, draws);
  double* next = all.data();
  for (const Payload& payload : executor.map(costs, task)) next = std::copy(payload.begin(), payload.end(), next);
  return all;
}

}  // namespace

StudentMixture LeftOutRuns::at(Index run) const {
  if (!is_known[static_cast<std::size_t>(run)]) throw Error(ErrorCode::internal, "this run cannot be left out");
  return StudentMixture(column(weights, run), column(means, run), column(scales, run), degrees_of_freedom, path);
}

LeftOutRuns leave_one_out(const Predictive& predictive, double relative_efficiency, Executor& executor) {
  const Scaling& scaling = predictive.scaling();
  const Index n = predictive.num_runs(), draws = predictive.num_draws();
  require_enough_runs(predictive);
  const Matrix conditional = conditional_predictions(predictive, executor);
  const double df = predictive.degrees_of_freedom() - 1.0;
  LeftOutRuns result{Matrix(draws, n), Matrix(draws, n), Matrix(draws, n), df, predictive.path(), {}, {}};
  std::vector<double> log_ratios(static_cast<std::size_t>(draws));
  for (Index run = 0; run < n; ++run) {
    const auto mean = conditional.row(run).transpose().array();
    const auto scale2 = conditional.row(n + run).transpose().array();
    result.is_known.push_back(scale2.isFinite().all());
    result.means.col(run) = scaling.output_mean() + scaling.output_sd() * mean;
    result.scales.col(run) = scaling.output_sd() * scale2.sqrt();
    if (!result.is_known.back()) {
      result.weights.col(run) = predictive.weights();
      result.k_hat.push_back(kInfinity);
      continue;
    }
    for (Index i = 0; i < draws; ++i) {
      log_ratios[static_cast<std::size_t>(i)] =
          std::log(predictive.weights()[i]) - log_density(predictive.observed()[run] - mean[i], scale2[i], df);
    }
    const SmoothedWeights smoothed = pareto_smooth(log_ratios, relative_efficiency);
    for (Index i = 0; i < draws; ++i) {
      result.weights(i, run) = std::exp(smoothed.log_weights[static_cast<std::size_t>(i)]);
    }
    result.k_hat.push_back(smoothed.k_hat);
  }
  return result;
}

}  // namespace ta2s2
