// A picture of a criterion over one or two inputs, with the runs and the points chosen next; and gnuplot, which draws
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/data/scaling.hpp"
#include "ta2s2/predictive/next_runs.hpp"

namespace ta2s2 {

// The SVG; none without gnuplot. `next` has a map; inputs with a log scale are drawn as their decimal logarithms.
// Error{cannot_write} if gnuplot fails.
std::optional<std::string> draw_next_runs(const OutputRuns& runs, const Scaling& scaling, const NextRuns& next,
                                          const std::string& title);

// Starts gnuplot. Its exit status; none if no program of this name is on the PATH. Each argument reaches it as it is:
// no shell is involved. Error{internal} if it cannot be started for another reason.
std::optional<int> run_gnuplot(const std::vector<std::string>& arguments);

}  // namespace ta2s2
