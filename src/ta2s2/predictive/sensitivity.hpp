// Sobol indices and main effects as the posterior knows them: of the hyper-parameters and of the function itself
// (docs/math.md, section 11).
#pragma once

#include <cstdint>
#include <functional>

#include "ta2s2/predictive/input_distribution.hpp"
#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

struct SensitivityOptions {
  Index num_paths = 400;
  Index num_waves = 256;  // in a path of the prior
  Index num_points = 64;  // in each of two batches, for the part of interactions; a power of two
  Index grid_size = 41;   // values of each input at which its main effect is given
  std::uint64_t seed = 1;
};

// A row per path, all equally likely. One path is one function that the posterior holds possible.
struct SensitivitySample {
  Matrix first;                       // Var E(f | x_d) / Var f, (paths, inputs)
  Matrix total;                       // E Var(f | all inputs but x_d) / Var f
  Vector means, variances;            // of the path over the inputs, in the user's units
  std::vector<Vector> grids;          // of each input, in the user's units
  std::vector<Matrix> effects;        // of each input, (paths, grid values): the mean output given that input
  Vector first_errors, total_errors;  // standard deviation of what numerical integration adds to a path's index
};

// Called with the number of paths that are done, in any order of paths.
using PathsDone = std::function<void(Index)>;

// Indices of the latent function, without the nugget. Inputs are independent, each with its distribution.
SensitivitySample analyse_sensitivity(const Predictive& predictive, const InputDistributions& inputs,
                                      const SensitivityOptions& options, Executor& executor,
                                      const PathsDone& on_done = nullptr);

// Uniform over the emulator's ranges.
InputDistributions uniform_inputs(const Predictive& predictive);

}  // namespace ta2s2
