// A correlation as the SIMD kernels see it: with features f_d of a pair of runs and weights w_d of (phi_d),
// s_d = w_d f_d >= 0 and k = prod_d m(s_d) exp(-sum_d s_d), or a product of ratios.
#pragma once

namespace ta2s2 {

enum class CorrelationForm {
  exponential,  // m = 1: squared exponential, power exponential
  matern32,     // m = 1 + s
  matern52,     // m = 1 + s + s^2 / 3
  rational,     // prod_d (1 + c s) / (1 + s), c the constant share
};

// How a feature is found: from a coordinate of both runs, or from a table where that is costlier than reading it.
enum class PairFeature { distance, squared_distance, table };

// s of a rational correlation is held below: its ratio is c to rounding, and products of a few are finite.
inline constexpr double kLargestRatio = 0x1p120;

// L_ii of a matrix that is positive definite beyond doubt: its square is seven roundings of the diagonal, which is one.
// Two equal runs without a nugget leave a pivot of either sign below.
inline constexpr double kLeastRoot = 4e-8;

}  // namespace ta2s2
