#include "ta2s2/predictive/next_runs.hpp"

#include <nlopt.h>
#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>

#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

constexpr Index kPointsPerTask = 16;
constexpr Index kInside = 256, kStretched = 128;
// Points beyond the cube are moved to its border: a third of each input's values lie on it then.
constexpr double kStretch = 1.5;
constexpr std::size_t kStarts = 4;
constexpr double kApart = 0.1;  // starts, per input
constexpr double kFirstStep = 0.05;
constexpr double kTolerance = 1e-4;  // of a coordinate
constexpr double kTinyValue = 1e-300;

Matrix points_to_try(const RunCriterion& criterion, Index num_inputs, std::uint64_t seed) {
  const Matrix filled = make_design({num_inputs, kInside + kStretched, DesignKind::sobol, seed});
  const Matrix beyond = 0.5 + kStretch * (filled.bottomRows(kStretched).array() - 0.5);
  const Matrix further = criterion.places_to_look();
  Matrix points(filled.rows() + further.rows(), num_inputs);
  points.topRows(kInside) = filled.topRows(kInside);
  points.middleRows(kInside, kStretched) = beyond.cwiseMax(0.0).cwiseMin(1.0);
  if (further.rows() > 0) points.bottomRows(further.rows()) = further;
  return points;
}

// The best points that are not close to one another.
std::vector<Index> choose_starts(const Vector& values, const Matrix& points, const IsAllowed& is_allowed) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values[a] > values[b]; });
  std::vector<Index> starts;
  for (const Index i : order) {
    if (starts.size() == kStarts) break;
    const bool is_apart = std::none_of(starts.begin(), starts.end(), [&](Index start) {
      return (points.row(i) - points.row(start)).cwiseAbs().maxCoeff() < kApart;
    });
    if (is_apart && is_allowed(points.row(i))) starts.push_back(i);
  }
  return starts;
}

struct Climb {
  const RunCriterion& criterion;
  const IsAllowed& is_allowed;
  FoundPoint best;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr failure = nullptr;

  // The logarithm is nearer to a parabola about a maximum, and has no units.
  double negative_log_value(const Vector& point) {
    const double value = criterion.values(point.transpose())[0];
    if (value > best.value && is_allowed(point)) best = {point, value};
    return -std::log(std::max(value, kTinyValue));
  }
};

// NLopt is written in C: an exception goes round it.
double objective(unsigned dim, const double* x, double*, void* data) {
  auto& climb = *static_cast<Climb*>(data);
  try {
    return climb.negative_log_value(Eigen::Map<const Vector>(x, static_cast<Index>(dim)));
  } catch (...) {
    climb.failure = std::current_exception();
    nlopt_force_stop(climb.optimiser);
    return 0.0;
  }
}

// BOBYQA wants two coordinates or more. Its result does not matter: the best point met is kept, and the start is one.
FoundPoint climb_from(const FoundPoint& start, const RunCriterion& criterion, const IsAllowed& is_allowed) {
  Climb climb{.criterion = criterion, .is_allowed = is_allowed, .best = start};
  const auto dim = static_cast<unsigned>(start.unit_point.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(
      nlopt_create(dim > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX, dim), &nlopt_destroy);
  climb.optimiser = optimiser.get();
  nlopt_set_lower_bounds1(optimiser.get(), 0.0);
  nlopt_set_upper_bounds1(optimiser.get(), 1.0);
  nlopt_set_min_objective(optimiser.get(), &objective, &climb);
  nlopt_set_initial_step1(optimiser.get(), kFirstStep);
  nlopt_set_xtol_abs1(optimiser.get(), kTolerance);
  nlopt_set_maxeval(optimiser.get(), static_cast<int>(30 + 15 * dim));
  Vector x = start.unit_point;
  double value = 0.0;
  nlopt_optimize(optimiser.get(), x.data(), &value);
  if (climb.failure) std::rethrow_exception(climb.failure);
  return climb.best;
}

}  // namespace

std::optional<Index> best_row(const Vector& values, const Matrix& unit_points, const IsAllowed& is_allowed) {
  std::optional<Index> best;
  for (Index i = 0; i < values.size(); ++i) {
    if ((!best || values[i] > values[*best]) && is_allowed(unit_points.row(i))) best = i;
  }
  return best;
}

Vector criterion_at(const RunCriterion& criterion, const Matrix& unit_points, Executor& executor) {
  const Index count = unit_points.rows(), tasks = (count + kPointsPerTask - 1) / kPointsPerTask;
  const auto task = [&](Index group, int) {
    const Index first = group * kPointsPerTask;
    const Vector values = criterion.values(unit_points.middleRows(first, std::min(kPointsPerTask, count - first)));
    return Payload(values.begin(), values.end());
  };
  Vector values(count);
  double* next = values.data();
  for (const Payload& payload : executor.map(std::vector<double>(static_cast<std::size_t>(tasks), 1.0), task)) {
    next = std::copy(payload.begin(), payload.end(), next);
  }
  return values;
}

std::optional<FoundPoint> search_cube(const RunCriterion& criterion, Index num_inputs, std::uint64_t seed,
                                      const IsAllowed& is_allowed, Executor& executor) {
  const Matrix points = points_to_try(criterion, num_inputs, seed);
  const Vector values = criterion_at(criterion, points, executor);
  const std::vector<Index> starts = choose_starts(values, points, is_allowed);
  const auto task = [&](Index i, int) {
    const Index start = starts[static_cast<std::size_t>(i)];
    const FoundPoint found = climb_from({points.row(start), values[start]}, criterion, is_allowed);
    Payload payload(found.unit_point.begin(), found.unit_point.end());
    payload.push_back(found.value);
    return payload;
  };
  std::optional<FoundPoint> best;
  for (const Payload& payload : executor.map(std::vector<double>(starts.size(), 1.0), task)) {
    if (best && best->value >= payload.back()) continue;
    best = {Eigen::Map<const Vector>(payload.data(), num_inputs), payload.back()};
  }
  return best;
}

namespace {

// What the streams and designs of one call are for.
enum Part : std::uint64_t { kThinning = 10, kReference = 11, kSearch = 12 };

constexpr Index kFewestDraws = 16;
constexpr Index kMostNumbers = 60'000'000;  // in the factors of all draws and their reference points: 480 MB

Index affordable_draws(Index wanted, Index num_runs) {
  const Index affordable = kMostNumbers / (num_runs * (num_runs + kReferencePoints));
  return std::min(wanted, std::max(affordable, kFewestDraws));
}

Predictive few_draws(const Predictive& predictive, const NextRunsOptions& options) {
  Stream stream({options.seed, Purpose::next_runs, kThinning});
  return predictive.thinned(affordable_draws(options.draws, predictive.num_runs()), stream);
}

std::uint64_t design_seed(const NextRunsOptions& options, Part part, Index step) {
  return Stream({options.seed, Purpose::next_runs, part, 0, static_cast<std::uint64_t>(step)}).bits();
}

// Runs and chosen points, rows in the unit cube.
class Taken {
 public:
  explicit Taken(Matrix runs) : points_(std::move(runs)) {}

  bool is_free(const Vector& point) const {
    for (Index i = 0; i < points_.rows(); ++i) {
      if ((points_.row(i) - point.transpose()).cwiseAbs().maxCoeff() < kLeastDistance) return false;
    }
    return true;
  }
  void add(const Vector& point) {
    points_.conservativeResize(points_.rows() + 1, Eigen::NoChange);
    points_.bottomRows(1) = point.transpose();
  }

 private:
  Matrix points_;
};

CriterionMap draw_map(const RunCriterion& criterion, const Scaling& scaling, Index size, Executor& executor) {
  const Index p = scaling.num_inputs(), count = p == 1 ? size : size * size;
  const Vector grid = Vector::LinSpaced(size, 0.0, 1.0);
  Matrix unit(count, p);
  for (Index i = 0; i < count; ++i) {
    unit(i, 0) = grid[i % size];
    if (p == 2) unit(i, 1) = grid[i / size];
  }
  return {scaling.to_user(unit), criterion_at(criterion, unit, executor)};
}

Vector in_short_decimals(const Vector& unit_point, const Scaling& scaling) {
  Vector point = scaling.to_user(unit_point.transpose()).row(0);
  for (Index d = 0; d < point.size(); ++d) {
    // Small values of a log input must keep their digits.
    const double size = scaling.is_log(d) ? point[d] : scaling.width()[d];
    point[d] = detail::short_decimal(point[d], scaling.low()[d], scaling.high(d), size);
  }
  return point;
}

struct ChosenPoint {
  Vector point;  // in the user's units
  double value = 0.0;
  std::optional<Index> row;
};

// Where the next point may be.
class Choice {
 public:
  virtual ~Choice() = default;
  virtual std::optional<ChosenPoint> best(const RunCriterion& criterion, Index step, const IsAllowed& is_allowed,
                                          Executor& executor) const = 0;
};

class WholeBox final : public Choice {
 public:
  WholeBox(const Scaling& scaling, const NextRunsOptions& options) : scaling_(scaling), options_(options) {}

  std::optional<ChosenPoint> best(const RunCriterion& criterion, Index step, const IsAllowed& is_allowed,
                                  Executor& executor) const override {
    const std::optional<FoundPoint> found =
        search_cube(criterion, scaling_.num_inputs(), design_seed(options_, kSearch, step), is_allowed, executor);
    if (!found) return std::nullopt;
    return ChosenPoint{in_short_decimals(found->unit_point, scaling_), found->value, std::nullopt};
  }

 private:
  const Scaling& scaling_;
  const NextRunsOptions& options_;
};

class AmongCandidates final : public Choice {
 public:
  AmongCandidates(const Scaling& scaling, const Matrix& candidates)
      : candidates_(candidates), unit_(scaling.to_unit(candidates)) {}

  std::optional<ChosenPoint> best(const RunCriterion& criterion, Index, const IsAllowed& is_allowed,
                                  Executor& executor) const override {
    const Vector values = criterion_at(criterion, unit_, executor);
    const std::optional<Index> row = best_row(values, unit_, is_allowed);
    if (!row) return std::nullopt;
    return ChosenPoint{candidates_.row(*row), values[*row], *row};
  }

 private:
  const Matrix& candidates_;
  Matrix unit_;
};

std::unique_ptr<Choice> make_choice(const Scaling& scaling, const NextRunsOptions& options,
                                    const std::optional<Matrix>& candidates) {
  if (candidates) return std::make_unique<AmongCandidates>(scaling, *candidates);
  return std::make_unique<WholeBox>(scaling, options);
}

[[noreturn]] void refuse(Index chosen, Index count) {
  throw Error(ErrorCode::usage, "found " + std::to_string(chosen) +
                                    " points that lie apart from the runs and from each "
                                    "other by at least a thousandth of some input's range, expected " +
                                    std::to_string(count));
}

}  // namespace

NextRuns choose_next_runs(const Predictive& predictive, const NextRunsOptions& options,
                          const std::optional<Matrix>& candidates, Executor& executor, const PointChosen& on_chosen) {
  const Predictive few = few_draws(predictive, options);
  const Scaling& scaling = predictive.scaling();
  const Index p = predictive.num_inputs();
  const std::unique_ptr<RunCriterion> criterion =
      make_criterion(options.criterion, few, design_seed(options, kReference, 0), executor);
  NextRuns result;
  result.points.resize(options.count, p);
  result.values.resize(options.count);
  result.draws = few.num_draws();
  if (options.map_size > 0) result.map = draw_map(*criterion, scaling, options.map_size, executor);

  const auto note_variance = [&] {
    if (const std::optional<double> variance = criterion->average_variance()) {
      result.average_variance.push_back(*variance);
    }
  };
  note_variance();
  const std::unique_ptr<Choice> choice = make_choice(scaling, options, candidates);
  Taken taken(few.parts().front().model->X());
  const IsAllowed is_allowed = [&](const Vector& point) { return taken.is_free(point); };
  for (Index i = 0; i < options.count; ++i) {
    const std::optional<ChosenPoint> chosen = choice->best(*criterion, i, is_allowed, executor);
    if (!chosen) refuse(i, options.count);
    result.points.row(i) = chosen->point.transpose();
    result.values[i] = chosen->value;
    if (chosen->row) result.rows.push_back(*chosen->row);
    const Vector unit_point = scaling.to_unit(chosen->point.transpose()).row(0);
    taken.add(unit_point);
    criterion->add_run(unit_point, executor);
    note_variance();
    if (on_chosen) on_chosen(i + 1);
  }
  return result;
}

double detail::short_decimal(double value, double low, double high, double size) {
  constexpr int kDigits = 6;
  const int places = kDigits - static_cast<int>(std::floor(std::log10(size)));
  // A power of ten that is a whole number is exact, and dividing by it gives the double nearest to the decimal.
  const double power = std::pow(10.0, std::abs(places));
  const auto decimal = [&](double whole) { return places > 0 ? whole / power : whole * power; };
  const double whole = std::round(places > 0 ? value * power : value / power), slack = 1e-12 * size;
  if (decimal(whole) > high + slack) return decimal(whole - 1.0);
  if (decimal(whole) < low - slack) return decimal(whole + 1.0);
  return decimal(whole);
}

}  // namespace ta2s2
