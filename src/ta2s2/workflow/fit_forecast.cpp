#include "ta2s2/workflow/fit_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/growth.hpp"

namespace ta2s2 {
namespace {

// Made by `bench/plan/run`, which prints these lines and how the laws do on functions that they were not fitted to.
// Least squares, of logarithms for counts and of relative errors for seconds; seconds are of the machine that
// docs/clusters.md names.
namespace law {
// log levels = constant + by_dim log d + by_runs log n + by_ess log(log gamma / log 0.5).
constexpr struct { double constant, by_dim, by_runs, by_ess; } kLevels = {-0.01305, 0.4791, 0.2838, -0.5685};
// log evaluations per state = constant + by_dim log d + by_samples log N.
constexpr struct { double constant, by_dim, by_samples; } kEvaluations = {0.03832, 0.2688, -0.02248};
// log evaluations of the search for modes = constant + by_dim log d.
constexpr struct { double constant, by_dim; } kModes = {5.467, 0.9391};
// Of the logarithms, on functions left out of the fit in turn. Seconds are those without the search for modes.
constexpr struct { double levels, evaluations, modes, seconds; } kScatter = {0.151, 0.126, 0.653, 0.156};
// One evaluation of a chain: in_block_seconds, times this where chains share blocks that are not always full, plus the
// move's own seconds, constant + by_dim d.
constexpr double kLaneWaste = 1.132;
constexpr struct { double constant, by_dim; } kMoveSeconds = {0.593e-6, 0.0455e-6};
// One thread's work between levels and after them, per state and level: constant + by_dim d + by_squared_dim d^2.
constexpr struct { double constant, by_dim, by_squared_dim; } kSerialSeconds = {1.19e-6, 0.0378e-6, 0.00588e-6};
}  // namespace law

constexpr double kNineInTen = 1.645;  // standard deviations of a normal to either side

Range spread(double expected, double scatter) {
  const double factor = std::exp(kNineInTen * scatter);
  return {expected / factor, expected, expected * factor};
}

double real(Index count) {
  return static_cast<double>(count);
}

double rounds_up(Index items, Index each) {
  return real((items + each - 1) / each);
}

double expected_levels(const FitShape& shape) {
  return std::exp(law::kLevels.constant + law::kLevels.by_dim * std::log(real(shape.dim)) +
                  law::kLevels.by_runs * std::log(real(shape.num_runs)) +
                  law::kLevels.by_ess * std::log(std::log(shape.ess_target) / std::log(0.5)));
}

// A state is one move, and a move asks at least once.
double evaluations_per_state(const FitShape& shape) {
  return std::max(1.0, std::exp(law::kEvaluations.constant + law::kEvaluations.by_dim * std::log(real(shape.dim)) +
                                law::kEvaluations.by_samples * std::log(real(shape.num_samples))));
}

double evaluations_per_level(const FitShape& shape) {
  return real(shape.num_chains() * shape.chain_length()) * evaluations_per_state(shape);
}

double move_seconds(const FitShape& shape, const EvaluationTime& evaluation) {
  return (shape.lanes > 1 ? law::kLaneWaste : 1.0) * evaluation.in_block_seconds + law::kMoveSeconds.constant +
         law::kMoveSeconds.by_dim * real(shape.dim);
}

// Tasks cost about the same, so that a map lasts as many of them as the busiest core does: this share of its work.
double busiest_share(Index num_tasks, Index cores) {
  return rounds_up(num_tasks, cores) / real(num_tasks);
}

double level_work(const FitShape& shape, const EvaluationTime& evaluation) {
  return evaluations_per_level(shape) * move_seconds(shape, evaluation);
}

Index points_per_start_task(const FitShape& shape) {
  return std::min(points_per_task(shape.lanes), shape.num_samples);
}

Index num_start_tasks(const FitShape& shape) {
  return static_cast<Index>(rounds_up(shape.num_samples, points_per_start_task(shape)));
}

double start_work(const FitShape& shape, const EvaluationTime& evaluation) {
  return real(num_start_tasks(shape) * points_per_start_task(shape)) * evaluation.in_block_seconds;
}

double serial_seconds(const FitShape& shape) {
  const double d = real(shape.dim);
  return real(shape.num_samples) *
         (law::kSerialSeconds.constant + law::kSerialSeconds.by_dim * d + law::kSerialSeconds.by_squared_dim * d * d);
}

}  // namespace

Range operator+(const Range& a, const Range& b) {
  return {a.low + b.low, a.expected + b.expected, a.high + b.high};
}

Range operator*(double factor, const Range& range) {
  return {factor * range.low, factor * range.expected, factor * range.high};
}

Index FitShape::chain_length() const {
  return given_chain_length > 0 ? given_chain_length : default_chain_length(dim, num_samples);
}

Index FitShape::num_chains() const {
  const Index per_group = (num_samples + num_groups - 1) / num_groups;
  return num_groups * ((per_group + chain_length() - 1) / chain_length());
}

Index FitShape::num_tasks() const {
  return num_chain_tasks(num_chains(), lanes);
}

// Tasks grow in steps: hence a search, not an inverse.
Index samples_for_shapes(std::vector<FitShape> shapes, Index cores) {
  const Index step = shapes.front().num_groups;
  for (Index samples = step;; samples += step) {
    Index num_tasks = 0;
    for (FitShape& shape : shapes) {
      shape.num_samples = samples;
      num_tasks += shape.num_tasks();
    }
    if (num_tasks >= cores) return samples;
  }
}

FitForecast forecast_fit(const FitShape& shape) {
  const double levels = expected_levels(shape);
  FitForecast forecast;
  forecast.levels = spread(levels, law::kScatter.levels);
  const double start = real(shape.num_samples);
  forecast.evaluations =
      Range{start, start, start} + spread(levels * evaluations_per_level(shape), law::kScatter.evaluations);
  forecast.mode_evaluations =
      spread(std::exp(law::kModes.constant + law::kModes.by_dim * std::log(real(shape.dim))), law::kScatter.modes);
  return forecast;
}

Range forecast_seconds(const FitShape& shape, const EvaluationTime& evaluation, Index cores) {
  return forecast_seconds({{shape, evaluation}}, cores);
}

// What is done between maps is done by one fit after another; each has its own search for modes.
Range forecast_seconds(const std::vector<TimedFit>& fits, Index cores) {
  Index tasks = 0, start_tasks = 0;
  for (const TimedFit& fit : fits) {
    tasks += fit.shape.num_tasks();
    start_tasks += num_start_tasks(fit.shape);
  }
  double seconds = 0.0;
  Range mode_seconds;
  for (const auto& [shape, evaluation] : fits) {
    seconds +=
        expected_levels(shape) * (level_work(shape, evaluation) * busiest_share(tasks, cores) + serial_seconds(shape)) +
        start_work(shape, evaluation) * busiest_share(start_tasks, cores);
    mode_seconds = mode_seconds + evaluation.alone_seconds * forecast_fit(shape).mode_evaluations;
  }
  return spread(seconds, law::kScatter.seconds) + busiest_share(static_cast<Index>(fits.size()), cores) * mode_seconds;
}

}  // namespace ta2s2
