// GP posteriors of runs of test functions (lab/simulators.hpp): the collection on which kernels are compared.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::bench {

// One posterior: runs of a simulator on a Latin hypercube, and settings that differ from the defaults.
struct GpCase {
  std::string name;
  std::string simulator;
  Index num_runs;
  std::uint64_t design_seed;
  std::vector<Setting> settings;
};

// Kernels are tuned on the first and confirmed on the second.
const std::vector<GpCase>& training_cases();
const std::vector<GpCase>& confirmation_cases();

GpTarget make_case(const GpCase& gp_case);

}  // namespace ta2s2::bench
