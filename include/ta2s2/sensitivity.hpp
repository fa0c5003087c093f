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
  std::string name,  ///< of the input
      distribution,  ///< such as "normal(10,2)"
      where = {};    ///< for messages
};

/// Statements from a TOML file with lines such as x1 = "normal(10,2)", in the file's order. Error{bad_file} if it
/// cannot be read, Error{usage} if it is no TOML or a value is no text.
std::vector<InputStatement> read_input_statements(const std::filesystem::path& file);

/// The distributions that there are, as help shows them: "normal(mean,sd)".
std::vector<std::string> input_distribution_names();

/// How indices are found.
struct SensitivityOptions {
  Index num_paths = 400;   ///< functions drawn from the posterior
  Index num_waves = 256;   ///< cosine waves that a function of the prior is made of; more are more exact
  Index num_points = 64;   ///< in each of two batches, for the part of interactions; best a power of two
  Index grid_size = 41;    ///< values of each input at which its main effect is given
  std::uint64_t seed = 1;  ///< of every random number
};

/// A row for each function, all equally likely. One is a function that the posterior holds possible.
struct SensitivitySample {
  Matrix first;                 ///< Var E(f | x_d) / Var f, (functions, inputs)
  Matrix total;                 ///< E Var(f | all inputs but x_d) / Var f
  Vector means;                 ///< of the function over the inputs, in the user's units
  Vector variances;             ///< of the function over the inputs
  std::vector<Vector> grids;    ///< of each input, in the user's units
  std::vector<Matrix> effects;  ///< of each input, (functions, grid values): the mean output given that input
  Vector first_errors;          ///< standard deviation of what numerical integration adds to an index
  Vector total_errors;          ///< the same of the total index
};

/// Median, and 2.5% and 97.5% quantiles.
struct PosteriorInterval {
  double median = 0.0;  ///< the 50% quantile
  double low = 0.0;     ///< the 2.5% quantile
  double high = 0.0;    ///< the 97.5% quantile
};

/// One input.
struct InputSensitivity {
  std::string name;                ///< of the input
  std::string distribution;        ///< as it was stated
  PosteriorInterval first;         ///< share of the variance that the input explains alone
  PosteriorInterval total;         ///< share that it explains alone and together with others
  PosteriorInterval interactions;  ///< total less first
  double p_inert = 0.0;            ///< posterior probability of a total effect below 0.01
  double p_active = 0.0;           ///< posterior probability that it acts (docs/math.md, section 9)
  double first_error = 0.0;        ///< what numerical integration adds, as a standard deviation
  double total_error = 0.0;        ///< the same of the total index
  Vector grid;                     ///< values of the input
  Vector effect_mean;              ///< of its main effect there
  Vector effect_low;               ///< the 2.5% quantile of its main effect there
  Vector effect_median;            ///< the median of its main effect there
  Vector effect_high;              ///< the 97.5% quantile of its main effect there
};

/// All inputs, and what the user should know.
struct Sensitivity {
  Index num_paths = 0;                   ///< functions that were drawn
  PosteriorInterval mean;                ///< of the output over the inputs
  PosteriorInterval variance;            ///< of the output over the inputs
  PosteriorInterval additive;            ///< share of the variance that main effects explain together
  double share_outside = 0.0;            ///< of the inputs' distribution, beyond the emulator's ranges
  std::vector<InputSensitivity> inputs;  ///< in the emulator's order
  std::vector<std::string> notices;      ///< sentences that the user should see
  SensitivitySample sample;              ///< what all of this was found from
};

}  // namespace ta2s2
