// The variance of a path over its inputs, taken apart by inputs (docs/math.md, section 11).
#pragma once

#include <vector>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/predictive/sample_function.hpp"

namespace ta2s2 {

// All on the unit cube's scale. Points are where an integral over all inputs but one is taken, a set per batch, drawn
// from the inputs' distribution; batches are repeats of one another.
struct AnalysisPlan {
  std::vector<Quadrature> rules;  // of each input
  std::vector<Vector> grids;      // where each main effect is wanted
};

struct PathVariances {
  double mean = 0.0;
  Vector main;          // variance of each main effect, by quadrature
  Matrix total;         // E Var(f | all inputs but one), (inputs, batches)
  Vector interactions;  // variance that main effects do not explain, of each batch
  Matrix effects;       // main effects with the mean, (grid values, inputs); as many grid values for each input

  double variance(Index batch) const { return main.sum() + interactions[batch]; }
};

PathVariances analyse_path(const SampleFunction& path, const AnalysisPlan& plan, const std::vector<Matrix>& batches,
                           InstructionSet simd);

}  // namespace ta2s2
