// How many independent draws a weighted or a correlated sample is worth.
#pragma once

#include <optional>
#include <span>

#include "ta2s2/smc/population.hpp"

namespace ta2s2 {

// (sum w)^2 / sum w^2 (Kish 1965); the weights need not be normalised.
double kish_ess(std::span<const double> weights);

// Values of one quantity at the states. The variance of one value over the variance of their weighted mean, the latter
// from the scatter of what each of the M >= 2 chains adds to it, followed through the levels (smc/draw_lineage.hpp);
// its relative error is near sqrt(2 / (M - 1)), M the chains of a level. May exceed the count when states alternate.
double ess_from_chains(const Vector& values, const WeightedPopulation& states);

// sqrt(1 + B / W): B the variance of the groups' weighted means, W the mean variance within a group. Group g holds the
// values [group_begin[g], group_begin[g + 1]), at least two with weight; at least two groups. With ESS_g independent
// draws' worth in each group B / W is near 1 / ESS_g, times chi-square over its G - 1 degrees of freedom. At most
// kLargestRHat.
double group_r_hat(const Vector& values, const Vector& weights, std::span<const Index> group_begin);
inline constexpr double kLargestRHat = 1e6;  // groups that are constants, and different ones

// Standard error of the mean of independent groups' estimates, from their scatter; none with fewer than two.
std::optional<double> error_from_groups(std::span<const double> estimates);

}  // namespace ta2s2
