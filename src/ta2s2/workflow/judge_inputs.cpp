#include <algorithm>
#include <cmath>

#include "ta2s2/base/text.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::detail {
namespace {

std::vector<std::string> names_of(const std::vector<Index>& inputs, const std::vector<std::string>& names) {
  std::vector<std::string> chosen;
  for (const Index d : inputs) chosen.push_back(names[static_cast<std::size_t>(d)]);
  return chosen;
}

// Draws cannot tell one from a little less, so that no more than 0.99 is claimed.
std::string probability_text(double least, bool is_of_several) {
  const bool is_rounded = least >= 0.995;
  const double shown = std::min(std::floor(100.0 * least + 1e-9) / 100.0, 0.99);
  return format_fixed(shown, 2) + (is_rounded || is_of_several ? " or more" : "");
}

// "inert with probability 0.98: x7".
std::string list_text(const std::string& what, const std::vector<Index>& inputs, const Vector& probabilities,
                      const std::vector<std::string>& names) {
  return what + " with probability " + probability_text(probabilities(inputs).minCoeff(), inputs.size() > 1) + ": " +
         list_names(names_of(inputs, names));
}

// Inputs that do not act, and those of which the runs do not tell; empty if all inputs act.
std::string doubts_text(const Activity& activity, const InputGroups& groups, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  if (!groups.inert.empty()) {
    const Vector inert = 1.0 - activity.active.array();
    parts.push_back(list_text("inert", groups.inert, inert, names));
  }
  if (!groups.undecided.empty()) {
    parts.push_back("undecided, by the probability of being active: " +
                    list_names(with_probabilities(activity, groups.undecided, names)));
  }
  return join(parts, "; ");
}

std::string linear_text(const Activity& activity, const std::vector<Index>& active,
                        const std::vector<std::string>& names) {
  std::vector<Index> linear = active;
  std::erase_if(linear, [&](Index d) { return !acts_linearly(activity, d); });
  if (linear.empty()) return "";
  return list_text(linear.size() > 1 ? "act linearly" : "acts linearly", linear, activity.linear, names);
}

}  // namespace

std::vector<Finding> judge_inputs(const OutputRecord& output) {
  if (!output.activity) return {};
  const std::vector<std::string>& names = output.members.front().data.input_names();
  const InputGroups groups = group_inputs(*output.activity);
  std::vector<Finding> findings;
  for (const std::string& sentence :
       {doubts_text(*output.activity, groups, names), linear_text(*output.activity, groups.active, names)}) {
    if (!sentence.empty()) findings.push_back({Question::data, Grade::note, {}, sentence});
  }
  return findings;
}

}  // namespace ta2s2::detail
