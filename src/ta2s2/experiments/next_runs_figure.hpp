// A picture of a criterion over one or two inputs, with the runs and the points chosen next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/predictive/next_runs.hpp"

namespace ta2s2 {

// The SVG; none without gnuplot. `next` has a map. Error{cannot_write} if gnuplot fails.
std::optional<std::string> draw_next_runs(const OutputRuns& runs, const NextRuns& next, const std::string& title);

}  // namespace ta2s2
