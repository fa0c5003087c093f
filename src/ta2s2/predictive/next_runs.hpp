// Where to run the simulator next: a batch of points, each the best by a criterion given those before it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2 {

struct NextRunsOptions {
  Index count = 5;
  CriterionSpec criterion = {};
  Index draws = 100;  // that the criterion is averaged over, chosen by weight; fewer with very many runs
  std::uint64_t seed = 1;
  Index map_size = 0;  // for one or two inputs: of a grid, to each side, on which the criterion is also wanted
};

// The criterion before any point is chosen.
struct CriterionMap {
  Matrix points;  // in the user's units; the first input changes fastest
  Vector values;
};

struct NextRuns {
  Matrix points;                         // a row each, in the order of choice; the user's units
  Vector values;                         // of the criterion, given the points before
  std::vector<Index> rows;               // of the candidates, if there were any
  Index draws = 0;                       // that were used
  std::vector<double> average_variance;  // before any and after each, if the criterion lowers one; else empty
  CriterionMap map;
};

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
