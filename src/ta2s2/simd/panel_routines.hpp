// One matrix with the SIMD lanes along its rows: the integrated likelihood where lane_routines.hpp has too large a
// matrix or too few points, the information of the reference prior, and predictions at blocks of points.
#pragma once

#include <cstddef>

#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// What does not change between evaluations. Rows are the n runs and then the borders.
struct PanelProblem {
  std::size_t num_runs = 0;    // n
  std::size_t num_inputs = 0;  // p
  BorderColumns columns;
  std::size_t num_leading = 0;  // the first runs that IntegratedResults::leading is about
  CorrelationForm form = CorrelationForm::exponential;
  double constant_share = 0.0;  // of CorrelationForm::rational
  PairFeature feature = PairFeature::squared_distance;
  double derivative_scale = 1.0;    // see gp/covariance.hpp
  const double* inputs = nullptr;   // [input][run]
  const double* table = nullptr;    // [run][input][run], padded by kPaddedTable; or null
  const double* borders = nullptr;  // [border][run], the output last
  double degrees_of_freedom = 0.0;  // of the gradient
  bool with_information = false;    // `information` will be asked for
  bool with_nugget = false;         // in it: dK / dnugget = I, as the last direction
};

// Where a factorisation is wanted.
struct PanelPoint {
  const double* log2_weights = nullptr;  // one per input, aligned to 64 bytes and padded by kPaddedWeights
  double nugget = 0.0;
  double shape = 1.0;               // of CorrelationForm::rational_quadratic
  const double* outputs = nullptr;  // one per run, in place of the problem's; or null
};

inline constexpr std::size_t kPaddedTable = 64;
inline constexpr std::size_t kPaddedWeights = 8;

// New points in groups of kPointGroup, the last one padded by any finite numbers.
struct PanelPoints {
  std::size_t num_groups = 0;
  const double* inputs = nullptr;  // [group][input][point]
  const double* table = nullptr;   // [group][run][input][point] for PairFeature::table; else null
  const double* trend = nullptr;   // [group][trend column][point]
};

inline constexpr std::size_t kPointGroup = 24;  // whole panels on every path

// The regression on the trend, columns of a matrix one after another: see gp/integrated_posterior.hpp.
struct PanelRegression {
  const double* U = nullptr;         // (n, q)
  const double* R = nullptr;         // (q, q)
  const double* residual = nullptr;  // (n)
  const double* beta = nullptr;      // (q), R^-1 U' L^-1 y
};

// How <B_i, B_j> is found: in a form that serves every correlation; in that of the squared exponential, which is
// cheaper and knows where it is not accurate; or in the latter where there is one and it is accurate.
enum class InformationForm { general, structured, best };

struct PanelRoutines {
  // Doubles that `work` must hold, aligned to 64 bytes.
  std::size_t (*work_size)(const PanelProblem& problem);

  // One lane. Leaves the factor in `work`. The results are those of LaneRoutines::factorise, bit by bit.
  void (*factorise)(const PanelProblem& problem, const PanelPoint& point, double* work,
                    const IntegratedResults& results);

  // The same, and the gradient unless a pivot was not positive, of all runs only. `work` holds gradient_work_size.
  std::size_t (*gradient_work_size)(const PanelProblem& problem);
  void (*factorise_with_gradient)(const PanelProblem& problem, const PanelPoint& point, double* work,
                                  const IntegratedResults& results, const GradientResults& gradient);

  // After `factorise` with this shape, of a problem with_information: gram[i][j] = <B_i, B_j> of
  // gp/reference_information.hpp, full and symmetric. False if the structured form was asked for where it is not
  // accurate.
  bool (*information)(const PanelProblem& problem, double shape, InformationForm form, double* work, double* gram);

  // As work_size, for `factorise` and then `predict`.
  std::size_t (*prediction_work_size)(const PanelProblem& problem);

  // After `factorise`: L^-1 [H y], [border][run].
  void (*solved_borders)(const PanelProblem& problem, double* work, double* out);

  // After `factorise` with this shape: mean and c(x, x) >= 0 of gp/conditional_predictor.hpp, one per point and aligned
  // as `work`; a point's do not depend on the others.
  void (*predict)(const PanelProblem& problem, double shape, const PanelRegression& regression,
                  const PanelPoints& points, double* work, double* mean, double* c);
};

// Null for InstructionSet::plain.
const PanelRoutines* panel_routines(InstructionSet path);

}  // namespace ta2s2
