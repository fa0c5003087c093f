// Where to run the simulator next: a batch of points, each the best by a criterion given those before it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ta2s2/design.hpp"
#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2 {

// No point is closer to a run or to another point than this share of the range in every input.
inline constexpr double kLeastDistance = 1e-3;

using PointChosen = std::function<void(Index chosen)>;

// From the whole box of the inputs' ranges; or from candidates, rows in the user's units. Error{usage} if fewer than
// `count` points can be chosen.
NextRuns choose_next_runs(const Predictive& predictive, const NextRunsOptions& options,
                          const std::optional<Matrix>& candidates, Executor& executor,
                          const PointChosen& on_chosen = nullptr);

namespace detail {

// A number that a person would type: within a millionth of `width` or little more from `value`, and within [low, low +
// width] as that was declared: the sum itself may be beyond it by rounding.
double short_decimal(double value, double low, double width);

}  // namespace detail
}  // namespace ta2s2
