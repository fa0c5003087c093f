// The best point of the unit cube by a criterion: many points that fill it, then local searches from the best of them.
#pragma once

#include <functional>
#include <optional>

#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2 {

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

}  // namespace ta2s2
