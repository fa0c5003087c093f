// Runs of the simulator that are in memory already.
#pragma once

#include "ta2s2/data/output_runs.hpp"

namespace ta2s2 {

// Judged as load_runs judges a file's: inputs that never change are left out with a notice; an output that never
// changes, fewer than 3 runs, and a number that is not finite are an Error{bad_data}.
OutputRuns take_runs(const Matrix& inputs, Vector output, const std::vector<std::string>& input_names,
                     const std::string& output_name);

}  // namespace ta2s2
