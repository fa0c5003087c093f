// Which inputs matter: Sobol indices and main effects, as the posterior knows them (docs/math.md, section 11).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

/// What a user says of one input: its name, and its distribution such as "normal(10,2)". `where` names the place for
/// messages, such as a file's line; it may be empty.
struct InputStatement {
  std::string name, distribution, where = {};
};

/// Statements from a TOML file with lines such as x1 = "normal(10,2)", in the file's order. Error{bad_file} if it
/// cannot be read, Error{usage} if it is no TOML or a value is no text.
std::vector<InputStatement> read_input_statements(const std::filesystem::path& file);

/// The distributions that there are, as help shows them: "normal(mean,sd)".
std::vector<std::string> input_distribution_names();

/// How indices are found.
struct SensitivityOptions {
  Index num_paths = 400;  ///< functions drawn from the posterior
  Index num_waves = 256;  ///< in a function of the prior
  Index num_points = 64;  ///< in each of two batches, for the part of interactions; a power of two
  Index grid_size = 41;   ///< values of each input at which its main effect is given
  std::uint64_t seed = 1;
};

/// A row for each function, all equally likely. One is a function that the posterior holds possible.
struct SensitivitySample {
  Matrix first;                       ///< Var E(f | x_d) / Var f, (functions, inputs)
  Matrix total;                       ///< E Var(f | all inputs but x_d) / Var f
  Vector means, variances;            ///< of the function over the inputs, in the user's units
  std::vector<Vector> grids;          ///< of each input, in the user's units
  std::vector<Matrix> effects;        ///< of each input, (functions, grid values): the mean output given that input
  Vector first_errors, total_errors;  ///< standard deviation of what numerical integration adds to an index
};

/// Median, and 2.5% and 97.5% quantiles.
struct PosteriorInterval {
  double median = 0.0, low = 0.0, high = 0.0;
};

/// One input.
struct InputSensitivity {
  std::string name;
  std::string distribution;
  PosteriorInterval first, total, interactions;  ///< interactions: total less first
  double p_inert = 0.0;                          ///< posterior probability of a total effect below 0.01
  double first_error = 0.0, total_error = 0.0;   ///< what numerical integration adds, as a standard deviation
  Vector grid;                                   ///< values of the input
  Vector effect_mean, effect_low, effect_median, effect_high;  ///< of its main effect there
};

/// All inputs, and what the user should know.
struct Sensitivity {
  Index num_paths = 0;
  PosteriorInterval mean, variance;  ///< of the output over the inputs
  PosteriorInterval additive;        ///< share of the variance that main effects explain together
  double share_outside = 0.0;        ///< of the inputs' distribution, beyond the emulator's ranges
  std::vector<InputSensitivity> inputs;
  std::vector<std::string> notices;
  SensitivitySample sample;  ///< what all of this was found from
};

}  // namespace ta2s2
