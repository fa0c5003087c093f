// A correlation as the SIMD kernels see it: with features f_d of a pair of runs and weights w_d of (phi_d),
// s_d = w_d f_d >= 0 and k = prod_d m(s_d) exp(-sum_d s_d), a product of ratios, or a power of one plus a sum.
#pragma once

#include <cstddef>

namespace ta2s2 {

enum class CorrelationForm {
  exponential,         // m = 1: squared exponential, power exponential
  matern32,            // m = 1 + s
  matern52,            // m = 1 + s + s^2 / 3
  rational,            // prod_d (1 + c s) / (1 + s), c the constant share
  rational_quadratic,  // (1 + sum_d s_d / shape)^-shape, no product
};

// How a feature is found: from a coordinate of both runs, or from a table where that is costlier than reading it.
enum class PairFeature { distance, squared_distance, table };

// s of a rational correlation is held below: its ratio is c to rounding, and products of a few are finite.
inline constexpr double kLargestRatio = 0x1p120;

// L_ii of a matrix that is positive definite beyond doubt: its square is seven roundings of the diagonal, which is one.
// Two equal runs without a nugget leave a pivot of either sign below.
inline constexpr double kLeastRoot = 4e-8;

// The columns that K is bordered by: the trend's, those of flat coefficients first, and the output.
struct BorderColumns {
  std::size_t count = 0;     // b = q + 1
  std::size_t num_flat = 0;  // at most q
  // What is taken away of the output along a column that is not flat: 1 - sqrt(1 - share), share as in gp/gp_model.hpp;
  // and where the problem's first runs stand alone, which leave a share of their own.
  double removed = 1.0, leading_removed = 1.0;

  BorderColumns of_leading() const { return {count, num_flat, leading_removed, leading_removed}; }
};

// What an integrated likelihood is made of, one number per lane: docs/math.md, section 1.
struct IntegratedResults {
  double* log_det_K;      // log |K_delta|
  double* log_det_trend;  // log |H' K_delta^-1 H| of the flat columns
  double* log_S2;         // log y' Q y
  double* positive;       // 1 if every L_ii was above kLeastRoot; else 0, and the others are of no use
  // The same of the problem's first runs alone, whose factor is the leading block of the whole; `positive` is not
  // written. Null if nobody asks.
  const IntegratedResults* leading = nullptr;
};

// Derivatives of an integrated likelihood, each number one per lane.
struct GradientResults {
  double* by_log_phi = nullptr;  // of each input
  double* by_nugget = nullptr;
  double* by_log_shape = nullptr;  // written of CorrelationForm::rational_quadratic
  double* by_output = nullptr;     // of each run; or null
};

}  // namespace ta2s2
