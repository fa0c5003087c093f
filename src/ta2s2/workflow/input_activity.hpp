// Which inputs of a fit act: found once when the fit ends, for whoever judges or shows it.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// The members together, by their weights, from a few hundred draws, so that it costs a small part of a fit.
Activity find_activity(const OutputRecord& output, Executor& executor);
// Reads what the fit stored; finds it now if the file is older.
Activity activity_of(const OutputRecord& output, Executor& executor);

// Numbers of inputs in rising order. Each input is in one group; limits: JudgeLimits.
struct InputGroups {
  std::vector<Index> active, undecided, inert;
};
InputGroups group_inputs(const Activity& activity);
bool acts_linearly(const Activity& activity, Index input);

// Each of these inputs with its probability to act: "x9 (0.41)".
std::vector<std::string> with_probabilities(const Activity& activity, const std::vector<Index>& inputs,
                                            const std::vector<std::string>& names);
// The first names of a long list, and how many others there are: "x1, x2 and 88 others".
std::string list_names(const std::vector<std::string>& names);

// "active: x1, x2 (linear); undecided: x3 (0.41); inert: 96 others".
std::string activity_text(const Activity& activity, const std::vector<std::string>& names);

}  // namespace ta2s2
