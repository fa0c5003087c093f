// Which inputs matter, as numbers for the command line, Python and other programs: medians, intervals, probabilities.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/predictive/sensitivity.hpp"

namespace ta2s2 {

// What a user says of one input. `where` names the place for messages, such as a file's line; it may be empty.
struct InputStatement {
  std::string name, distribution, where;
};

// Inputs that nobody speaks of are uniform over the emulator's ranges. Error{usage} that names every problem: unknown
// inputs, distributions that are none.
InputDistributions match_inputs(const std::vector<InputStatement>& statements, const std::vector<std::string>& names,
                                const Predictive& predictive);

struct PosteriorInterval {
  double median = 0.0, low = 0.0, high = 0.0;  // 2.5% and 97.5% quantiles
};

struct InputSensitivity {
  std::string name;
  std::string distribution;
  PosteriorInterval first, total, interactions;  // interactions: total less first
  double p_inert = 0.0;                          // posterior probability of a total effect below kInertShare
  double first_error = 0.0, total_error = 0.0;   // what numerical integration adds, as a standard deviation
  Vector grid;                                   // values of the input
  Vector effect_mean, effect_low, effect_median, effect_high;  // of its main effect there
};

struct Sensitivity {
  Index num_paths = 0;
  PosteriorInterval mean, variance;  // of the output over the inputs
  PosteriorInterval additive;        // share of the variance that main effects explain together
  double share_outside = 0.0;        // of the inputs' distribution, beyond the emulator's ranges
  std::vector<InputSensitivity> inputs;
  std::vector<std::string> notices;
};

Sensitivity summarise_sensitivity(const SensitivitySample& sample, const InputDistributions& inputs,
                                  const std::vector<std::string>& names, const Predictive& predictive);

}  // namespace ta2s2
