#include "ta2s2/data/runs_in_memory.hpp"

#include "ta2s2/data/detail/constant_columns.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

using detail::is_constant;
using detail::shown;

[[noreturn]] void fail(const std::string& message) {
  throw Error(ErrorCode::bad_data, message);
}

void check_runs(const Matrix& inputs, const Vector& output, const std::string& output_name) {
  if (inputs.rows() < static_cast<Index>(detail::kLeastRuns)) {
    fail("found " + std::to_string(inputs.rows()) + (inputs.rows() == 1 ? " usable run" : " usable runs") +
         ", expected at least " + std::to_string(detail::kLeastRuns));
  }
  if (is_constant(output)) {
    fail("output " + shown(output_name) + ": found " + shown(output[0]) +
         " in every run, expected an output that varies");
  }
}

}  // namespace

OutputRuns take_runs(const Matrix& inputs, Vector output, const std::vector<std::string>& input_names,
                     const std::string& output_name) {
  const OutputRuns all(inputs, output, input_names, output_name);
  check_runs(inputs, output, output_name);
  RunSource source;
  std::vector<Index> kept;
  std::vector<std::string> kept_names;
  for (Index d = 0; d < inputs.cols(); ++d) {
    const std::string& name = input_names[static_cast<std::size_t>(d)];
    if (is_constant(inputs.col(d))) {
      source.notices.push_back(detail::constant_input_notice(name, inputs(0, d)));
      source.unused_columns.push_back(name);
    } else {
      kept.push_back(d);
      kept_names.push_back(name);
    }
  }
  if (kept.empty()) fail("found inputs that are the same in every run, expected at least one input that varies");
  return OutputRuns(inputs(Eigen::all, kept), std::move(output), kept_names, output_name, std::move(source));
}

}  // namespace ta2s2
