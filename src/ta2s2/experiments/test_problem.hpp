// Runs to learn from and runs to be judged by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "ta2s2/experiments/simulators.hpp"

namespace ta2s2 {

struct TestProblem {
  OutputRuns train, test;
};

// Random Latin hypercubes; the stream of a training design is never that of a test design.
OutputRuns simulate_training_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);
OutputRuns simulate_test_runs(const Simulator& simulator, Index num_runs, std::uint64_t design);

// Runs that are shipped with the program, by the name of their file in examples/data; nothing if there are none.
std::optional<OutputRuns> shipped_runs(const Simulator& simulator, const std::string& file);

// <folder>/nilson_kuusk/train.csv and test.csv; Error{bad_file} that says where to get them.
TestProblem load_nilson_kuusk(const std::filesystem::path& folder);

}  // namespace ta2s2
