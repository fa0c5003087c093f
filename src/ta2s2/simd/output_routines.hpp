// Outputs transformed for many points, and what follows for the points' parameters: gp/output_transform.hpp.
#pragma once

#include <cstddef>

#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// g of a number x of each run and two parameters of each point, and the logarithm of what its slope depends on:
//   box_cox       g = sign (v^power - 1) / power, v = x + shift; log v; parameters shift and power
//   sinh_arcsinh  g = sinh w, w = stretch x - skew; log cosh w; parameters stretch and skew
enum class OutputForm { box_cox, sinh_arcsinh };

// What does not change between points.
struct OutputProblem {
  OutputForm form = OutputForm::box_cox;
  std::size_t num_runs = 0;
  std::size_t num_leading = 0;  // the first runs, whose logarithms are added for themselves too
  double sign = 1.0;
  const double* x = nullptr;  // per run
  double slope_weight = 0.0;  // of a run's log slope in the gradient
};

// One per point; these and all below aligned to 64 bytes.
struct OutputPoints {
  const double* first = nullptr;   // shift, or stretch
  const double* second = nullptr;  // power, or skew
};

struct TransformedOutputs {
  double* values = nullptr;        // g, [run][point]
  double* logarithms = nullptr;    // [run][point]
  double* sums = nullptr;          // of the logarithms, one per point
  double* leading_sums = nullptr;  // written if there are first runs
};

// Derivatives along log shift and power, or log stretch and skew, one per point.
struct OutputGradient {
  double* first = nullptr;
  double* second = nullptr;
};

// `transform` gives a point the same bits in both: a number depends on its own run and point alone, and sums go from
// run to run.
struct OutputRoutines {
  struct Width {
    void (*transform)(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& out);
    // After `transform`: sum over runs of by_output ([run][point]) dg and slope_weight dlog(slope).
    void (*differentiate)(const OutputProblem& problem, const OutputPoints& points, const TransformedOutputs& of_points,
                          const double* by_output, const OutputGradient& gradient);
  };
  Width lanes;   // as many points as there are lanes
  Width single;  // one point
};

// Null for InstructionSet::plain.
const OutputRoutines* output_routines(InstructionSet path);

}  // namespace ta2s2
