#include "ta2s2/predictive/box_search.hpp"

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

}  // namespace ta2s2
