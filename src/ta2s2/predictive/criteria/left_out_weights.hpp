// How much places count, by the errors that leaving runs out shows near them.
#pragma once

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2::detail {

// One per row of unit_points; they sum to one.
Vector left_out_weights(const Predictive& predictive, const Matrix& unit_points, Executor& executor);

}  // namespace ta2s2::detail
