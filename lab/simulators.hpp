// Test functions of the emulation literature, in their natural units: simulators that cost nothing to run.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/dataset.hpp"
#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::lab {

struct Simulator {
  std::string name;
  std::vector<InputRange> inputs;
  std::string output;
  double (*run)(const Vector& x);

  Index num_inputs() const { return static_cast<Index>(inputs.size()); }
};

const std::vector<Simulator>& simulators();

// Error{usage} that names them all if there is none of this name.
const Simulator& find_simulator(const std::string& name);

// Rows of `points` are inputs in the simulator's units.
OutputRuns run_simulator(const Simulator& simulator, MatrixView points);

}  // namespace ta2s2::lab
