#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

void check_columns(const OutputRuns& known, const OutputRuns& added) {
  if (known.input_names() == added.input_names() && known.output_name() == added.output_name()) return;
  throw Error(ErrorCode::bad_data, "found runs with other columns than the model's: expected the same " +
                                       std::to_string(known.num_inputs()) +
                                       " inputs in the same order, and the output \"" + known.output_name() + "\"");
}

// How far a run lies outside the range of an input, in units of its width; 0 inside.
double distance_outside(const Scaling& scaling, const OutputRuns& data, Index run, Index input) {
  const double u = (data.inputs()(run, input) - scaling.low()[input]) / scaling.width()[input];
  return std::max({0.0, -u, u - 1.0});
}

std::string range_text(const Scaling& scaling, Index input) {
  return format_number(scaling.low()[input]) + " to " + format_number(scaling.low()[input] + scaling.width()[input]);
}

void refuse_far_run(const MemberRecord& model, const OutputRuns& added, Index run, Index input) {
  const std::string place = added.where(run) + ", column \"" + added.input_names()[static_cast<std::size_t>(input)] +
                            "\": found " + format_number(added.inputs()(run, input));
  const std::string range = range_text(model.scaling, input);
  if (!model.options.ranges.empty()) {
    throw Error(ErrorCode::bad_data, place + ", expected a value in its declared range, " + range);
  }
  throw Error(ErrorCode::bad_data, place + ", expected a value no farther from the model's range, " + range +
                                       ", than that range is wide: fit all runs again");
}

std::vector<std::string> check_ranges(const MemberRecord& model, const OutputRuns& added) {
  // A declared range was checked to the last digit; the width's own rounding must not refuse its end.
  const double farthest = model.options.ranges.empty() ? kFarthestOutside : 1e-12;
  std::vector<std::string> notices;
  for (Index input = 0; input < added.num_inputs(); ++input) {
    Index count = 0;
    double largest = 0.0;
    for (Index run = 0; run < added.num_runs(); ++run) {
      const double outside = distance_outside(model.scaling, added, run, input);
      if (outside > farthest) refuse_far_run(model, added, run, input);
      if (outside > 1e-12) ++count;
      largest = std::max(largest, outside);
    }
    if (count == 0) continue;
    notices.push_back(
        "input \"" + added.input_names()[static_cast<std::size_t>(input)] + "\": " + std::to_string(count) +
        " of the added runs outside the range that the model is scaled by, " + range_text(model.scaling, input) +
        ", by up to " + format_number(std::round(1e3 * largest) / 1e3) +
        " of its width; the scaling stays, a fit of all runs would have a wider one");
  }
  return notices;
}

void refuse_contradictions(const MemberRecord& model, const OutputRuns& added) {
  const auto fixed = make_nugget_prior(model.options.nugget, model.options.nugget_box).fixed;
  if (!fixed || *fixed >= kLeastNuggetForDuplicates) return;
  const OutputRuns all = join_runs(model.data, added);
  const Index num_known = model.data.num_runs();
  for (Index run = num_known; run < all.num_runs(); ++run) {
    for (Index other = 0; other < run; ++other) {
      if (all.inputs().row(run) != all.inputs().row(other) || all.output()[run] == all.output()[other]) continue;
      const std::string which = other < num_known ? "run " + std::to_string(other + 1) + " of the model"
                                                  : "line " + std::to_string(added.line_of(other - num_known));
      throw Error(ErrorCode::bad_data, added.where(run - num_known) + ": the inputs of " + which +
                                           " with another output, which a nugget fixed at " + format_number(*fixed) +
                                           " cannot explain; expected the same output, or a model with an inferred "
                                           "nugget or one of at least " +
                                           format_number(kLeastNuggetForDuplicates));
    }
  }
}

}  // namespace

OutputRuns join_runs(const OutputRuns& known, const OutputRuns& added) {
  Matrix inputs(known.num_runs() + added.num_runs(), known.num_inputs());
  Vector output(inputs.rows());
  inputs << known.inputs(), added.inputs();
  output << known.output(), added.output();
  RunSource source;
  source.path = added.path();
  return OutputRuns(std::move(inputs), std::move(output), known.input_names(), known.output_name(), std::move(source));
}

std::vector<std::string> check_added_runs(const MemberRecord& model, const OutputRuns& added) {
  check_columns(model.data, added);
  refuse_contradictions(model, added);
  return check_ranges(model, added);
}

}  // namespace ta2s2
