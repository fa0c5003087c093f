// Runs to learn from and runs to be judged by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "lab/simulators.hpp"

namespace ta2s2::lab {

struct TestProblem {
  OutputRuns train, test;
};

// Random Latin hypercubes; the stream of a training design is never that of a test design.
OutputRuns simulate_training_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);
OutputRuns simulate_test_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);

// Files that are compiled in, by name: runs of examples/data and scripts of the figures (lab/CMakeLists.txt).
const std::map<std::string, std::string>& lab_files();

// Runs that are shipped with the program, by the name of their file in examples/data without its ending; nothing if
// there are none.
std::optional<OutputRuns> shipped_runs(const Simulator& simulator, const std::string& file);

// <folder>/nilson_kuusk/train.csv and test.csv; Error{bad_file} that says where to get them.
TestProblem load_nilson_kuusk(const std::filesystem::path& folder);

}  // namespace ta2s2::lab
