#include "ta2s2/workflow/input_activity.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2 {
namespace {

using Limits = JudgeLimits;

constexpr std::size_t kMostNames = 12;
// A probability of 400 draws has a standard error of 0.025 at most, and of 0.011 next to the limits.
constexpr double kFewestDraws = 200.0, kMostDraws = 400.0;

// Each draw costs a factorisation.
Index affordable_draws(Index num_runs) {
  return static_cast<Index>(std::clamp(1e10 / std::pow(static_cast<double>(num_runs), 3), kFewestDraws, kMostDraws));
}

std::vector<std::string> active_texts(const Activity& activity, const std::vector<Index>& inputs,
                                      const std::vector<std::string>& names) {
  std::vector<std::string> texts;
  for (const Index d : inputs) {
    texts.push_back(names[static_cast<std::size_t>(d)] + (acts_linearly(activity, d) ? " (linear)" : ""));
  }
  return texts;
}

// Many inert inputs are counted: those that act are the ones to know.
std::string inert_text(const std::vector<Index>& inputs, const std::vector<std::string>& names) {
  if (inputs.size() > kMostNames) {
    return inputs.size() == names.size() ? "all " + std::to_string(inputs.size())
                                         : std::to_string(inputs.size()) + " others";
  }
  return join(inputs, ", ", [&](Index d) { return names[static_cast<std::size_t>(d)]; });
}

}  // namespace

// Level 1, chain 5: other thinnings have other chains.
Activity find_activity(const OutputRecord& output, Executor& executor) {
  const MemberRecord& first = output.members.front();
  Stream stream({first.options.annealing.seed, Purpose::thinning, 1, 5, 0});
  return find_activity(average_of(output).thinned(affordable_draws(first.data.num_runs()), stream), executor);
}

Activity activity_of(const OutputRecord& output, Executor& executor) {
  return output.activity ? *output.activity : find_activity(output, executor);
}

InputGroups group_inputs(const Activity& activity) {
  InputGroups groups;
  for (Index d = 0; d < activity.num_inputs(); ++d) {
    const double p = activity.active[d];
    (p < Limits::small_chance         ? groups.inert
     : p > 1.0 - Limits::small_chance ? groups.active
                                      : groups.undecided)
        .push_back(d);
  }
  return groups;
}

bool acts_linearly(const Activity& activity, Index input) {
  return activity.linear[input] >= 1.0 - Limits::small_chance;
}

std::vector<std::string> with_probabilities(const Activity& activity, const std::vector<Index>& inputs,
                                            const std::vector<std::string>& names) {
  std::vector<std::string> texts;
  for (const Index d : inputs) {
    texts.push_back(names[static_cast<std::size_t>(d)] + " (" + format_fixed(activity.active[d], 2) + ")");
  }
  return texts;
}

std::string list_names(const std::vector<std::string>& names) {
  if (names.size() <= kMostNames) return join(names, ", ");
  const std::vector<std::string> first(names.begin(), names.begin() + kMostNames);
  return join(first, ", ") + " and " + std::to_string(names.size() - kMostNames) + " others";
}

std::string activity_text(const Activity& activity, const std::vector<std::string>& names) {
  const InputGroups groups = group_inputs(activity);
  std::vector<std::string> parts;
  if (!groups.active.empty()) parts.push_back("active: " + list_names(active_texts(activity, groups.active, names)));
  if (!groups.undecided.empty()) {
    parts.push_back("undecided: " + list_names(with_probabilities(activity, groups.undecided, names)));
  }
  if (!groups.inert.empty()) parts.push_back("inert: " + inert_text(groups.inert, names));
  return join(parts, "; ");
}

}  // namespace ta2s2
