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
  bool with_information = false;    // `information` will be asked for
  bool with_nugget = false;         // in it: dK / dnugget = I, as the last direction
};

inline constexpr std::size_t kPaddedTable = 64;

// How <B_i, B_j> is found: in a form that serves every correlation; in that of the squared exponential, which is
// cheaper and knows where it is not accurate; or in the latter where there is one and it is accurate.
enum class InformationForm { general, structured, best };

struct PanelKernels {
  // Doubles that `work` must hold, aligned to 64 bytes.
  std::size_t (*work_size)(const PanelProblem& problem);

  // weights: one per input; results: one lane. Leaves the factor in `work`. The results are those of
  // LaneKernels::factorise, bit by bit.
  void (*factorise)(const PanelProblem& problem, const double* weights, double nugget, double* work,
                    const IntegratedResults& results);

  // After `factorise`, of a problem with_information: gram[i][j] = <B_i, B_j> of gp/reference_information.hpp, full and
  // symmetric. False if the structured form was asked for where it is not accurate.
  bool (*information)(const PanelProblem& problem, InformationForm form, double* work, double* gram);
};

// Null for SimdPath::plain.
const PanelKernels* panel_kernels(SimdPath path);

}  // namespace ta2s2
