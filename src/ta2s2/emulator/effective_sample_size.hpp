// How many independent draws a weighted or a correlated sample is worth.
#pragma once

#include <optional>
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

// sqrt(1 + B / W): B the variance of the groups' means, W the mean variance within a group. Group g holds the values
// [group_begin[g], group_begin[g + 1]), at least two; at least two groups. With ESS_g independent draws' worth in
// each group B / W is near 1 / ESS_g, times chi-square over its G - 1 degrees of freedom. At most kLargestRHat.
double group_r_hat(const Vector& values, std::span<const Index> group_begin);
inline constexpr double kLargestRHat = 1e6;  // groups that are constants, and different ones

// Standard error of the mean of independent groups' estimates, from their scatter; none with fewer than two.
std::optional<double> error_from_groups(std::span<const double> estimates);

}  // namespace ta2s2
