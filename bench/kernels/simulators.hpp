// Test functions of the emulation literature on the unit cube, and the GP posteriors of their runs: the collection on
// which kernels are compared.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ta2s2/base/types.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::bench {

struct Simulator {
  std::string name;
  Index num_inputs;
  std::function<double(VectorView unit)> run;
};

// One posterior: runs of a simulator on a Latin hypercube, and settings that differ from the defaults.
struct GpCase {
  std::string name;
  std::string simulator;
  Index num_runs;
  std::uint64_t design_seed;
  std::vector<Setting> settings;
};

const Simulator& find_simulator(const std::string& name);

// Kernels are tuned on the first and confirmed on the second.
const std::vector<GpCase>& training_cases();
const std::vector<GpCase>& confirmation_cases();

GpTarget make_case(const GpCase& gp_case);

}  // namespace ta2s2::bench
