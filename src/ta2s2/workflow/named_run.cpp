#include "ta2s2/workflow/named_run.hpp"

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

Observer::Verdict NamedRun::on_level(const LevelSummary& report) {
  LevelSummary named = report;
  named.run = name_;
  return inner_.on_level(named);
}

std::string run_name(const std::string& output, const FitOptions& model, std::size_t num_outputs,
                     std::size_t num_models) {
  const std::string first = num_outputs > 1 ? output : "";
  const std::string label = num_models > 1 ? member_label(model) : "";
  return first + (first.empty() || label.empty() ? "" : ", ") + label;
}

}  // namespace ta2s2
