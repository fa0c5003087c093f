// One realisation of the simulator's latent function given the runs and a draw of the hyper-parameters: a function that
// can be evaluated, averaged and taken apart input by input (docs/math.md, section 11).
#pragma once

#include <vector>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// f(x) = h(x)' beta + Re sum_k amplitude_k exp(i frequency_k' x) + sum_i run_weight_i k(x, x_i), on the unit cube and
// in standardised units. Every term but the trend's is a product over inputs.
struct SampleFunction {
  const GpModel* model = nullptr;
  Vector phi;
  Matrix frequencies;                       // (waves, inputs)
  Vector real_amplitudes, imag_amplitudes;  // (waves)
  Vector run_weights;                       // (runs)
  Vector beta;                              // (trend columns)

  Index num_waves() const { return frequencies.rows(); }
  Index num_terms() const { return 2 * num_waves() + run_weights.size(); }
};

// A draw of sigma^2, beta and the process given the runs, by Matheron's rule (Wilson et al. 2020): a path of the prior,
// a sum of `num_waves` random waves, and the predictor of what the runs say against it.
SampleFunction draw_path(const GpModel& model, const GpParameters& parameters, Index num_waves, Stream& stream);

// The path's factors of one input at some values of it, a column each: cosines and sines of the waves, correlations
// with the runs.
void fill_input_factors(const SampleFunction& path, Index input, VectorView values, InstructionSet simd,
                        Matrix& factors);

// The path's values at the rows of X_unit.
Vector path_values(const SampleFunction& path, MatrixView X_unit);

// For a path's variance over its inputs, taken apart by inputs. All on the unit cube's scale. Points are where an
// integral over all inputs but one is taken, a set per batch, drawn from the inputs' distribution; batches are repeats
// of one another.
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
