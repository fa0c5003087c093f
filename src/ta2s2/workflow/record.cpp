#include "ta2s2/workflow/record.hpp"

#include <algorithm>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

// The place of `name`, or of the only one if nothing is named.
std::size_t find_named(const std::vector<std::string>& names, const std::string& name, const std::string& option) {
  if (name.empty() && names.size() == 1) return 0;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw Error(ErrorCode::usage, option + ": found " + (name.empty() ? "nothing" : "\"" + name + "\"") +
                                    ", expected one of: " + join(names, "; "));
}

std::vector<std::string> labels_of(const OutputRecord& output) {
  std::vector<std::string> labels;
  for (const MemberRecord& fit : output.members) labels.push_back(member_label(fit.options));
  return labels;
}

}  // namespace

OutputRecord single_member(MemberRecord fit) {
  OutputRecord output{{}, {1.0}, std::nullopt};
  output.members.push_back(std::move(fit));
  return output;
}

bool is_single(const OutputRecord& output) {
  return output.members.size() == 1;
}

bool is_single(const EmulatorRecord& model) {
  return model.outputs.size() == 1 && is_single(model.outputs.front());
}

std::vector<std::string> output_names(const EmulatorRecord& model) {
  std::vector<std::string> names;
  for (const OutputRecord& output : model.outputs) names.push_back(output.name());
  return names;
}

const OutputRecord& find_output(const EmulatorRecord& model, const std::string& name) {
  return model.outputs[find_named(output_names(model), name, "--output")];
}

std::string member_label(const FitOptions& options) {
  const std::string trend = options.trend == "constant" ? "" : ", " + options.trend + " trend";
  return MemberName{options.correlation, options.transform}.text() + trend;
}

const MemberRecord& find_member(const OutputRecord& output, const std::string& label) {
  return output.members[find_named(labels_of(output), label, "--member")];
}

const MemberRecord& heaviest_member(const OutputRecord& output) {
  const auto heaviest = std::max_element(output.weights.begin(), output.weights.end());
  return output.members[static_cast<std::size_t>(heaviest - output.weights.begin())];
}

}  // namespace ta2s2
