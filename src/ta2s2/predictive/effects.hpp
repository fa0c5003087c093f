// What each input does to the output over the ranges of all inputs, each draw of the posterior by itself (docs/math.md,
// section 9).
#pragma once

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

// The latent output averaged over all inputs but one, uniformly over their ranges, as a function of that one. A main
// effect at a point is Student t given a draw, so it is a mixture of them over the posterior.
struct MainEffects {
  Vector grid;          // on [0, 1] of each input's range
  MixtureBlock values;  // "points" are grid values of the first input, then of the second, ...

  StudentMixture at(Index input, Index grid_point) const { return values.at(input * grid.size() + grid_point); }
};
MainEffects main_effects(const Predictive& predictive, Index grid_size, Executor& executor);

// An input is inert, of one draw, if it has less than this total effect: knowing all others would leave no more of the
// variance.
inline constexpr double kInertShare = 0.01;

// Share of the variance of a draw's predicted mean over the ranges that would stay if all inputs but this one were
// known (the total effect of Homma and Saltelli 1996, by Jansen's estimator on a Latin hypercube of `num_points`).
// (draws, inputs); zeros where a draw predicts a constant.
Matrix total_effects(const Predictive& predictive, Index num_points, Executor& executor);

}  // namespace ta2s2
