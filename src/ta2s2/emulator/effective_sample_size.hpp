// How many independent draws a weighted or a correlated sample is worth.
#pragma once

#include <span>

#include "ta2s2/base/types.hpp"

namespace ta2s2 {

// (sum w)^2 / sum w^2 (Kish 1965); the weights need not be normalised.
double kish_ess(std::span<const double> weights);

// Values of one quantity, a column per chain, a row per state kept. The variance of one value over the
// variance of the mean of all, the latter from the scatter of the M >= 2 chain means: valid for chains of any
// length, short ones too, as long as they are independent; its relative error is near sqrt(2 / (M - 1)). May
// exceed the count when states alternate.
double ess_from_chains(MatrixView values);

// Gelman and Rubin's R-hat with each chain split in two halves (Gelman et al. 2013); at least four states to
// a chain.
double split_r_hat(MatrixView values);

}  // namespace ta2s2
