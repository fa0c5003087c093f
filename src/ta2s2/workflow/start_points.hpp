// Where a search for the posterior's maximum begins, beside draws of the start law. With many inputs, nearly all of
// which do nothing, the maximum is a needle: searches from draws end in a mode that takes the whole output for noise,
// up to 370 nats too low (Welch's function of 20 inputs, and 4 active inputs among 100).
#pragma once

#include "ta2s2/gp/gp_target.hpp"

namespace ta2s2 {

// A column for each: all length-scales alike and a small nugget; and, of more than four inputs, those that the runs
// show to matter by themselves short, the others long, and a smaller nugget.
Matrix start_points(const GpTarget& target);

// The length-scales and the nugget of a point of another model of the same inputs, in this one's space.
Vector start_from(const ParameterSpace& space, const ParameterSpace& other, VectorView position);

// Of each input the larger absolute correlation of the output's ranks: with the input, or with its squared distance
// from the middle. Rows of X are runs in the unit cube.
Vector screening_correlations(const Matrix& X, const Vector& y);

}  // namespace ta2s2
