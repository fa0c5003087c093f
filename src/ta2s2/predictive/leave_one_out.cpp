#include "ta2s2/predictive/leave_one_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/payload_reader.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"

namespace ta2s2 {
namespace {

constexpr std::size_t kFewestInTail = 5;

// Shape that maximises the likelihood given theta = -k / sigma (negative: Zhang and Stephens write b = theta, k = -k).
double profile_shape(std::span<const double> excesses, double theta) {
  double sum = 0.0;
  for (const double x : excesses) sum += std::log1p(-theta * x);
  return sum / static_cast<double>(excesses.size());
}

std::size_t tail_length(std::size_t draws, double relative_efficiency) {
  const double s = static_cast<double>(draws);
  return static_cast<std::size_t>(std::ceil(std::min(0.2 * s, 3.0 * std::sqrt(s / relative_efficiency))));
}

std::vector<std::size_t> ascending_order(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

void normalise(std::vector<double>& log_weights) {
  const double total = log_sum_exp(log_weights);
  for (double& value : log_weights) value -= total;
}

// Replaces the values at `tail` (ascending, all at or above the cutoff) and returns k-hat. The largest value is 0.
double smooth_tail(std::vector<double>& log_weights, std::span<const std::size_t> tail, double log_cutoff) {
  const double cutoff = std::exp(log_cutoff);
  std::vector<double> excesses;
  for (const std::size_t i : tail) excesses.push_back(std::exp(log_weights[i]) - cutoff);
  if (excesses.back() - excesses.front() <= 1e-14) return -kInfinity;
  const GeneralisedPareto fit = fit_generalised_pareto(excesses);
  if (!std::isfinite(fit.shape)) return kInfinity;
  for (std::size_t j = 0; j < tail.size(); ++j) {
    const double u = (static_cast<double>(j) + 0.5) / static_cast<double>(tail.size());
    log_weights[tail[j]] = std::min(std::log(cutoff + fit.quantile(u)), 0.0);  // never above the largest raw ratio
  }
  return fit.shape;
}

void check_ratios(std::span<const double> log_ratios, double relative_efficiency) {
  const auto bad = [](double value) { return std::isnan(value) || value == kInfinity; };
  if (std::ranges::any_of(log_ratios, bad)) {
    throw Error(ErrorCode::usage, "Log importance ratios must be numbers below +inf.");
  }
  if (log_ratios.empty() || std::ranges::max(log_ratios) == -kInfinity) {
    throw Error(ErrorCode::usage, "Importance weights need at least one draw with a positive ratio.");
  }
  if (!(relative_efficiency > 0.0)) {
    throw Error(ErrorCode::usage,
                "The relative efficiency of draws must be positive, not " + std::to_string(relative_efficiency) + ".");
  }
}

}  // namespace

double GeneralisedPareto::quantile(double u) const {
  const double exponential = -std::log1p(-u);
  return shape == 0.0 ? scale * exponential : scale * std::expm1(shape * exponential) / shape;
}

GeneralisedPareto fit_generalised_pareto(std::span<const double> excesses) {
  const double n = static_cast<double>(excesses.size());
  const int num_points = 30 + static_cast<int>(std::sqrt(n));
  const double smallest = *std::ranges::upper_bound(excesses, 0.0);  // many draws may tie at the cutoff
  const double quartile = std::max(excesses[static_cast<std::size_t>(std::lround(n / 4.0)) - 1], smallest);
  std::vector<double> thetas;
  std::vector<double> log_likelihoods;
  for (int j = 1; j <= num_points; ++j) {
    const double theta = 1.0 / excesses.back() + (1.0 - std::sqrt(num_points / (j - 0.5))) / (3.0 * quartile);
    const double shape = profile_shape(excesses, theta);
    thetas.push_back(theta);
    log_likelihoods.push_back(n * (std::log(-theta / shape) - shape - 1.0));
  }
  const double total = log_sum_exp(log_likelihoods);
  double theta_hat = 0.0;
  for (std::size_t j = 0; j < thetas.size(); ++j) theta_hat += thetas[j] * std::exp(log_likelihoods[j] - total);
  const double shape = profile_shape(excesses, theta_hat);
  constexpr double kPriorCount = 10.0;
  constexpr double kPriorShape = 0.5;
  return {(n * shape + kPriorCount * kPriorShape) / (n + kPriorCount), -shape / theta_hat};
}

SmoothedWeights pareto_smooth(std::span<const double> log_ratios, double relative_efficiency) {
  check_ratios(log_ratios, relative_efficiency);
  SmoothedWeights result{{log_ratios.begin(), log_ratios.end()}, kInfinity};
  std::vector<double>& log_weights = result.log_weights;
  const double largest = std::ranges::max(log_weights);
  for (double& value : log_weights) value -= largest;
  const std::size_t length = tail_length(log_weights.size(), relative_efficiency);
  if (length >= kFewestInTail && length < log_weights.size()) {
    const std::vector<std::size_t> order = ascending_order(log_weights);
    const std::size_t first = order.size() - length;
    result.k_hat = smooth_tail(log_weights, std::span(order).subspan(first), log_weights[order[first - 1]]);
  }
  normalise(log_weights);
  return result;
}

namespace {

// Draws per task: one costs n^3 operations.
constexpr Index kDrawsPerTask = 8;

void require_enough_runs(const Predictive& predictive) {
  const auto freedom = static_cast<Index>(predictive.degrees_of_freedom());
  if (freedom >= kFewestFreedomToLeaveOut) return;
  throw Error(ErrorCode::bad_data, std::to_string(predictive.num_runs()) +
                                       " runs are too few to predict each from all others: at least " +
                                       std::to_string(predictive.num_runs() + kFewestFreedomToLeaveOut - freedom) +
                                       " are needed with this trend");
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
  Index filled = 0;
  for (const Payload& payload : executor.map(costs, task)) {
    PayloadReader reader(payload);
    const Index count = std::min(kDrawsPerTask, draws - filled);
    const auto numbers = reader.numbers(static_cast<std::size_t>(2 * n * count));
    reader.require_end();
    all.middleCols(filled, count) = Eigen::Map<const Matrix>(numbers.data(), 2 * n, count);
    filled += count;
  }
  return all;
}

}  // namespace

PredictiveLaw LeftOutRuns::at(Index run) const {
  if (!is_known[static_cast<std::size_t>(run)]) throw Error(ErrorCode::internal, "this run cannot be left out");
  return {column(weights, run), column(means, run), column(scales, run), degrees_of_freedom, frame, path};
}

LeftOutRuns LeftOutRuns::in_frame(std::shared_ptr<const LawFrame> other) const {
  LeftOutRuns runs = *this;
  const auto [centre, unit, low, high] = other->units();
  if (frame->is_plain() && !other->is_plain()) {
    runs.means = (means.array() - centre) / unit;
    runs.scales = scales / unit;
  } else if (other->is_plain() && !frame->is_plain()) {
    runs.means = centre + unit * means.array();
    runs.scales = unit * scales;
  }
  runs.frame = std::move(other);
  return runs;
}

LeftOutRuns LeftOutRuns::recalibrated(double kappa) const {
  return in_frame(std::make_shared<const LawFrame>(frame->recalibrated(kappa)));
}

LeftOutRuns leave_one_out(const Predictive& predictive, double relative_efficiency, Executor& executor) {
  const Scaling& scaling = predictive.scaling();
  const Index n = predictive.num_runs(), draws = predictive.num_draws();
  require_enough_runs(predictive);
  const Matrix conditional = conditional_predictions(predictive, executor);
  const double df = predictive.degrees_of_freedom() - 1.0;
  const std::shared_ptr<const LawFrame> frame = predictive.law_frame();
  const double centre = frame->is_plain() ? scaling.output_mean() : 0.0;
  const double unit = frame->is_plain() ? scaling.output_sd() : 1.0;
  LeftOutRuns result{Matrix(draws, n), Matrix(draws, n), Matrix(draws, n), df, predictive.path(), {}, {}, frame};
  std::vector<double> log_ratios(static_cast<std::size_t>(draws));
  for (Index run = 0; run < n; ++run) {
    const auto mean = conditional.row(run).transpose().array();
    const auto scale2 = conditional.row(n + run).transpose().array();
    result.is_known.push_back(scale2.isFinite().all());
    result.means.col(run) = centre + unit * mean;
    result.scales.col(run) = unit * scale2.sqrt();
    if (!result.is_known.back()) {
      result.weights.col(run) = predictive.weights();
      result.k_hat.push_back(kInfinity);
      continue;
    }
    // In the user's units: what the run's g is, and how steep there, depends on the draw.
    for (Index i = 0; i < draws; ++i) {
      const OutputTransform::Image observed = frame->image(i, predictive.observed()[run]);
      log_ratios[static_cast<std::size_t>(i)] =
          std::log(predictive.weights()[i]) - log_density(observed.value - mean[i], scale2[i], df) - observed.log_slope;
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
