#include "ta2s2/report/detail/next_runs_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/report/detail/shell_word.hpp"
#include "ta2s2/workflow/next_runs.hpp"

namespace ta2s2::detail {
namespace {

constexpr Index kCount = 5;
constexpr double kFewestDraws = 4, kMostDraws = 24;

// What the choice costs for one draw: a search along each input, of points that n^2 numbers are known of.
double cost_of_draw(const OutputRuns& data) {
  return std::pow(static_cast<double>(data.num_runs()), 2) * static_cast<double>(data.num_inputs());
}

// As many as take a few seconds.
double affordable_draws(const OutputRuns& data) {
  return 2.4e6 / cost_of_draw(data);
}

std::string command_of(const OutputRuns& data, Index draws) {
  return "ta2s2 next-runs model.json --output " + shell_word(data.output_name()) + " --count " +
         std::to_string(kCount) + " --draws " + std::to_string(draws) + " -o next.csv";
}

std::string sentence_on(const std::vector<double>& variance, Index draws) {
  return "Look for gaps between the runs, and for inputs along which the triangles spread: there a run tells most. "
         "Here these " +
         std::to_string(kCount) +
         " runs, chosen together, are expected to lower the variance averaged over the ranges from " +
         number_text(variance.front(), 3) + " to " + number_text(variance.back(), 3) +
         ". The criterion (imse) is averaged over " + std::to_string(draws) + " draws.";
}

}  // namespace

Json next_runs_json(const OutputRecord& output, Executor& executor) {
  const OutputRuns& data = output.members.front().data;
  if (affordable_draws(data) < 0.1 * kFewestDraws) return {};
  NextRunsOptions options;
  options.count = kCount;
  options.draws = static_cast<Index>(std::clamp(affordable_draws(data), kFewestDraws, kMostDraws));
  const NextRunsReport report = next_runs(make_predictive(output), options, std::nullopt, executor);
  Json rows = Json::array();
  for (Index i = 0; i < report.runs.points.rows(); ++i) {
    const Vector at = report.runs.points.row(i);
    rows.push_back({{"number", i + 1},
                    {"at", std::vector<double>(at.begin(), at.end())},
                    {"mean", shown(report.predicted.mean[i])},
                    {"sd", shown(report.predicted.sd[i])},
                    {"value", shown(report.runs.values[i])}});
  }
  return {{"inputs", data.input_names()},
          {"rows", rows},
          {"draws", report.runs.draws},
          {"average_variance", report.runs.average_variance},
          {"command", command_of(data, options.draws)},
          {"sentence", sentence_on(report.runs.average_variance, report.runs.draws)}};
}

}  // namespace ta2s2::detail
