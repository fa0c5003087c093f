// Integrated likelihoods of several (phi, nugget) at once, one per SIMD lane: docs/math.md, section 7.
// For matrices small enough that a lane's copy of each fits in cache (see gp/engines/simd_engine.cpp).
#pragma once

#include <cstddef>

#include "ta2s2/simd/correlation.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// What does not change between evaluations. Runs are i, j < n; pairs (i, j), j < i, are counted row by row.
struct LaneProblem {
  std::size_t num_runs = 0;    // n
  std::size_t num_inputs = 0;  // p
  BorderColumns columns;
  std::size_t num_leading = 0;  // the first runs that IntegratedResults::leading is about
  CorrelationForm form = CorrelationForm::exponential;
  double constant_share = 0.0;       // of CorrelationForm::rational
  const double* features = nullptr;  // [pair][input], padded by kPaddedPairs pairs
  const double* borders = nullptr;   // [border][run], the output last
  double derivative_scale = 1.0;     // see gp/covariance.hpp
  double degrees_of_freedom = 0.0;   // of the gradient
};

inline constexpr std::size_t kPaddedPairs = 8;

// What does, one per lane; all aligned to 64 bytes.
struct LanePoints {
  const double* log2_weights = nullptr;  // [input][lane]
  const double* nuggets = nullptr;
  const double* shapes = nullptr;   // of CorrelationForm::rational_quadratic; else any positive numbers
  const double* outputs = nullptr;  // [run][lane], in place of the problem's; or null
};

struct LaneRoutines {
  std::size_t lanes;
  // Doubles that `work` must hold, aligned to 64 bytes.
  std::size_t (*work_size)(const LaneProblem& problem);
  // Leaves the factor in `work`.
  void (*factorise)(const LaneProblem& problem, const LanePoints& points, double* work,
                    const IntegratedResults& results);

  // The same, and the gradient, of all runs only. `work` holds gradient_work_size.
  std::size_t (*gradient_work_size)(const LaneProblem& problem);
  void (*factorise_with_gradient)(const LaneProblem& problem, const LanePoints& points, double* work,
                                  const IntegratedResults& results, const GradientResults& gradient);
};

// Null for InstructionSet::plain.
const LaneRoutines* lane_routines(InstructionSet path);

}  // namespace ta2s2
