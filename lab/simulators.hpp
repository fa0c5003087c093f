// Test functions of the emulation literature, in their natural units: simulators that cost nothing to run. Runs of them
// to learn from and to be judged by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/dataset.hpp"
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

struct TestProblem {
  OutputRuns train, test;
};

// Random Latin hypercubes; the stream of a training design is never that of a test design.
OutputRuns simulate_training_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);
OutputRuns simulate_test_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);

// Files that are compiled in, by name: runs of examples/data and scripts of the figures (lab/CMakeLists.txt).
const std::map<std::string, std::string>& lab_files();

// Runs that are shipped with the program, by their file's name in examples/data without its ending; nothing if none
// are.
std::optional<OutputRuns> shipped_runs(const Simulator& simulator, const std::string& file);

// <folder>/nilson_kuusk/train.csv and test.csv; Error{bad_file} that says where to get them.
TestProblem load_nilson_kuusk(const std::filesystem::path& folder);

}  // namespace ta2s2::lab
