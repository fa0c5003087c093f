// Where the variance of a sample function over its inputs comes from (docs/math.md, section 11).
#pragma once

#include <vector>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/predictive/sample_function.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// For a path's variance over its inputs, taken apart by inputs. All on the unit cube's scale. Points are where an
// integral over all inputs but one is taken, a set per batch, drawn from the inputs' distribution; batches are repeats
// of one another.
struct AnalysisPlan {
  std::vector<Quadrature> rules;  // of each input
  std::vector<Vector> grids;      // where each main effect is wanted
};

struct PathVariances {
  double mean = 0.0;
  std::vector<Vector> main;  // variance of each main effect, of each batch
  Matrix total;              // E Var(f | all inputs but one), (inputs, batches)
  Vector interactions;       // variance that main effects do not explain, of each batch
  Matrix effects;            // main effects with the mean, (grid values, inputs); as many grid values for each input

  double variance(Index batch) const { return main[static_cast<std::size_t>(batch)].sum() + interactions[batch]; }
};

// Of the path's output. Where that is the process itself and its correlation a product over inputs, averages over
// inputs are products of one-dimensional ones, and main effects have quadrature's precision. Otherwise the output is
// followed point by point (predictive/pointwise_analysis.cpp), and main effects are means over the points.
PathVariances analyse_path(const SampleFunction& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                           InstructionSet simd);

namespace detail {

// The second way, which any path may go. `simd` plain: correlations that are no product are found as they are defined.
PathVariances analyse_pointwise(const SampleFunction& path, const AnalysisPlan& plan,
                                const std::vector<Matrix>& batches, InstructionSet simd);

}  // namespace detail
}  // namespace ta2s2
