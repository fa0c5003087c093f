// Runs of the simulator, from a CSV file or in memory already.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"

namespace ta2s2 {

// Which columns to use. Without an output: the column "y" if there is one, else the last column, with a
// notice. Without inputs: every column but the output.
struct RunColumns {
  std::string output;
  std::vector<std::string> inputs;
  std::vector<std::string> other_outputs = {};  // no inputs, unless they are named as such
};

// Runs to fit. Left out with a notice: runs whose output is missing, NaN or infinite (failed runs), inputs
// that never change. Errors: an input that is missing or no finite number, a missing column, an output that
// never changes, fewer than 3 usable runs. Duplicate runs are kept (find_duplicate_runs tells of them).
OutputRuns load_runs(const std::filesystem::path& path, const RunColumns& columns);

// Several outputs of the same runs. `columns.output` is the name of one column, or names and patterns separated by
// commas: "drag,lift*", where * stands for any letters and ? for one. Nothing, or one name: the same as load_runs.
// A run without one of the outputs still counts for the others.
std::vector<OutputRuns> load_outputs(const std::filesystem::path& path, const RunColumns& columns);

// Runs to validate against: the same, but nothing has to vary and one run is enough.
OutputRuns load_test_runs(const std::filesystem::path& path, const std::vector<std::string>& input_names,
                          const std::string& output_name);

// Judged as load_runs judges a file's: inputs that never change are left out with a notice; an output that never
// changes, fewer than 3 runs, and a number that is not finite are an Error{bad_data}.
OutputRuns take_runs(const Matrix& inputs, Vector output, const std::vector<std::string>& input_names,
                     const std::string& output_name);

}  // namespace ta2s2
