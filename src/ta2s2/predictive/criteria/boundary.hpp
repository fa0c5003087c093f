// Reference points for the search of a level's contour.
#pragma once

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2::detail {

struct WeightedPoints {
  Matrix unit_points;
  Vector weights;  // sum to one
};

// Points of the unit cube where the output may be at the level.
WeightedPoints points_near_level(const Predictive& predictive, double level, Index count, std::uint64_t seed,
                                 Executor& executor);

}  // namespace ta2s2::detail
