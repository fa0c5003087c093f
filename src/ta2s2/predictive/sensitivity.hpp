// Sobol indices and main effects as the posterior knows them: of the hyper-parameters and of the function itself
// (docs/math.md, section 11).
#pragma once

#include <functional>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/sensitivity.hpp"

namespace ta2s2 {

// What each input does to the output over the ranges of all inputs, each draw of the posterior by itself (docs/math.md,
// section 9).

// The latent output averaged over all inputs but one, uniformly over their ranges, as a function of that one. A main
// effect at a point is Student t given a draw, so it is a mixture of them over the posterior.
struct MainEffects {
  Vector grid;          // on [0, 1] of each input's range
  MixtureBlock values;  // "points" are grid values of the first input, then of the second, ...

  PredictiveLaw at(Index input, Index grid_point) const { return values.at(input * grid.size() + grid_point); }
};
MainEffects main_effects(const Predictive& predictive, Index grid_size, Executor& executor);

// An input is inert, of one draw, if it has less than this total effect: knowing all others would leave no more of the
// variance.
inline constexpr double kInertShare = 0.01;

// Share of the variance of a draw's predicted mean over the ranges that would stay if all inputs but this one were
// known (the total effect of Homma and Saltelli 1996, by Jansen's estimator on a Latin hypercube of `num_points`).
// (draws, inputs); zeros where a draw predicts a constant.
Matrix total_effects(const Predictive& predictive, Index num_points, Executor& executor);

// Called with the number of paths that are done, in any order of paths.
using PathsDone = std::function<void(Index)>;

// Indices of the latent function, without the nugget. Inputs are independent, each with its distribution.
SensitivitySample analyse_sensitivity(const Predictive& predictive, const InputDistributions& inputs,
                                      const SensitivityOptions& options, Executor& executor,
                                      const PathsDone& on_done = nullptr);

// Uniform over the emulator's ranges.
InputDistributions uniform_inputs(const Predictive& predictive);

}  // namespace ta2s2
