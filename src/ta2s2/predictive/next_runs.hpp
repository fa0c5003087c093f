// Where to run the simulator next: a batch of points, each the best by a criterion given those before it.
#pragma once

#include <functional>
#include <optional>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2 {

// The best point of the unit cube by a criterion: many points that fill it, then local searches from the best of them.

struct FoundPoint {
  Vector unit_point;
  double value = 0.0;
};

using IsAllowed = std::function<bool(const Vector& unit_point)>;

// The best of the rows; none if no row is allowed.
std::optional<Index> best_row(const Vector& values, const Matrix& unit_points, const IsAllowed& is_allowed);

// The criterion at every row, by the executor's workers.
Vector criterion_at(const RunCriterion& criterion, const Matrix& unit_points, Executor& executor);

// The best allowed point of the whole cube. Deterministic. None if no allowed point was met.
std::optional<FoundPoint> search_cube(const RunCriterion& criterion, Index num_inputs, std::uint64_t seed,
                                      const IsAllowed& is_allowed, Executor& executor);

// No point is closer to a run or to another point than this share of the range in every input.
inline constexpr double kLeastDistance = 1e-3;

using PointChosen = std::function<void(Index chosen)>;

// From the whole box of the inputs' ranges; or from candidates, rows in the user's units. Error{usage} if fewer than
// `count` points can be chosen.
NextRuns choose_next_runs(const Predictive& predictive, const NextRunsOptions& options,
                          const std::optional<Matrix>& candidates, Executor& executor,
                          const PointChosen& on_chosen = nullptr);

namespace detail {

// A number that a person would type: within a millionth of `size` or little more from `value`, and within [low, high]
// as that was declared: `high` itself may be beyond it by rounding.
double short_decimal(double value, double low, double high, double size);

}  // namespace detail

}  // namespace ta2s2
