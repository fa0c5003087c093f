// The posterior of a Gaussian process fitted to 20 runs of Franke's function, as an exact target by quadrature.
#pragma once

#include "targets/quadrature_target.hpp"

namespace ta2s2 {

// Design 1, 2 or 3 of examples/data/franke_golden_<design>.csv. Squared exponential, no trend, nugget fixed at 1e-6,
// log-uniform prior on [-7, 7]^2: the posteriors of tests/golden.
std::shared_ptr<const QuadratureTarget> franke_posterior_2d(int design);

// Matern 5/2, constant trend, log-uniform nugget, jointly robust prior, on a box of log phi in [-5, 4] and z_nugget in
// [-20, 6], over which the hottest level spreads.
std::shared_ptr<const QuadratureTarget> franke_posterior_3d(int design);

// The same with twice the grid's cells along coordinate `finer`, to show that the grid is fine enough.
std::shared_ptr<const QuadratureTarget> franke_posterior_2d(int design, Index finer);
std::shared_ptr<const QuadratureTarget> franke_posterior_3d(int design, Index finer);

}  // namespace ta2s2
