// One realisation of the simulator's latent function given the runs and a draw of the hyper-parameters: a function that
// can be evaluated, averaged and taken apart input by input (predictive/path_analysis.hpp; docs/math.md, section 11).
#pragma once

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// z(x) = h(x)' beta + Re sum_k amplitude_k exp(i frequency_k' x) + sum_i run_weight_i k(x, x_i), on the unit cube and
// in standardised units, of a transformed output in units of g(y). Waves are products over inputs, and so are
// correlations of that kind.
struct SampleFunction {
  const GpModel* model = nullptr;
  GpParameters parameters;
  Matrix frequencies;                       // (waves, inputs)
  Vector real_amplitudes, imag_amplitudes;  // (waves)
  Vector run_weights;                       // (runs)
  Vector beta;                              // (trend columns)

  Index num_waves() const { return frequencies.rows(); }
  // Those that are products over inputs: cosines, sines and, of a correlation that is a product, runs.
  Index num_terms() const { return 2 * num_waves() + (model->covariance().is_product() ? run_weights.size() : 0); }
};

// A draw of sigma^2, beta and the process given the runs, by Matheron's rule (Wilson et al. 2020): a path of the prior,
// a sum of `num_waves` random waves, and the predictor of what the runs say against it.
SampleFunction draw_path(const GpModel& model, const GpParameters& parameters, Index num_waves, Stream& stream);

// The factors of the path's terms in one input at some values of it, a column each.
void fill_input_factors(const SampleFunction& path, Index input, VectorView values, InstructionSet simd,
                        Matrix& factors);

// Of the process, z, at the rows of X_unit.
Vector path_values(const SampleFunction& path, MatrixView X_unit);
// Of the output there, standardised: g^-1(z), clipped as DrawOutput says.
Vector path_outputs(const SampleFunction& path, MatrixView X_unit);

}  // namespace ta2s2
