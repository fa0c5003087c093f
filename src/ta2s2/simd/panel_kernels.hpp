// One matrix with the SIMD lanes along its rows: the integrated likelihood where lane_kernels.hpp has too large a
// matrix or too few points, and the information of the reference prior.
#pragma once

#include <cstddef>

#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/simd/integrated.hpp"
#include "ta2s2/simd/path.hpp"

namespace ta2s2 {

// What does not change between evaluations. Rows are the n runs and then the borders.
struct PanelProblem {
  std::size_t num_runs = 0;     // n
  std::size_t num_inputs = 0;   // p
  std::size_t num_borders = 0;  // q trend columns and the output: b = q + 1
  CorrelationForm form = CorrelationForm::exponential;
  PairFeature feature = PairFeature::squared_distance;
  double derivative_scale = 1.0;    // see gp/covariance.hpp
  const double* inputs = nullptr;   // [input][run]
  const double* table = nullptr;    // [run][input][run], padded by kPaddedTable; or null
  const double* borders = nullptr;  // [border][run], the output last
};

inline constexpr std::size_t kPaddedTable = 64;

struct PanelKernels {
  // Doubles that `work` must hold, aligned to 64 bytes; with `for_information`, as `information` needs them.
  std::size_t (*work_size)(const PanelProblem& problem, bool for_information, bool with_nugget);

  // log2_weights: one per input, aligned to 64 bytes and padded to eight; results: one lane. Leaves the factor in `work`. The results are those of
  // LaneKernels::factorise, bit by bit.
  void (*factorise)(const PanelProblem& problem, const double* log2_weights, double nugget, double* work,
                    const IntegratedResults& results);

  // After `factorise`: gram[i][j] = <B_i, B_j> of gp/reference_information.hpp, full and symmetric, for the inputs and,
  // with_nugget, for dK / dnugget = I as the last of them.
  void (*information)(const PanelProblem& problem, bool with_nugget, double* work, double* gram);
};

// Null for SimdPath::plain.
const PanelKernels* panel_kernels(SimdPath path);

}  // namespace ta2s2
