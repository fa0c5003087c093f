// The integrated likelihood in long double, from the coordinates on: what an engine's rounding is measured against.
#pragma once

#include "unit/gp/small_problem.hpp"

namespace ta2s2::test {

LongMatrix long_correlations(const GpModel& model, const GpParameters& at);

// g(y) and g'(y) of docs/math.md, section 15.
struct LongImage {
  long double value, slope;
};
LongImage long_image(const OutputTransform& transform, double y, const Vector& parameters);

// log p(y) for a given K, without nugget, under either prior of the trend.
long double long_log_likelihood(const GpModel& model, const LongMatrix& K, const GpParameters& at);

// Its derivatives along the coordinates of small_problem.hpp, from differences in long double, which are right to
// fifteen digits of what the likelihood keeps.
Vector long_gradient(const GpModel& model, const GpParameters& at);

// How far the likelihood moves if each correlation moves by a unit in the last place of a double, either way: an error
// no algorithm in double precision can avoid. The largest of a few throws.
long double rounding_floor(const GpModel& model, const LongMatrix& K, const GpParameters& at);

// <B_i, B_j> of the squared exponential as tr W_i W_j - tr W_i tr W_j / m, in long double from the coordinates on.
LongMatrix long_gram(const GpModel& model, const GpParameters& at, bool with_nugget);
// 1/2 log |I| from it.
double long_information_root(const LongMatrix& gram, Index residual_rank);

}  // namespace ta2s2::test
