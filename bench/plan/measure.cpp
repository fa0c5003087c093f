// Fits of test functions, one JSON line each: what the forecast of `ta2s2 plan` is fitted to.
// Standard input has a line for each: FUNCTION RUNS DESIGN SETTING=VALUE ...
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fit/timed_executor.hpp"
#include "fit/timed_target.hpp"
#include "lab/simulators.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/forecast.hpp"
#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  std::string function;
  Index num_runs = 0;
  std::uint64_t design = 1;
  std::vector<Setting> settings;
};

Case read_case(const std::string& line) {
  std::istringstream words(line);
  Case read;
  words >> read.function >> read.num_runs >> read.design;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    read.settings.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return read;
}

Json times_json(const MemberRecord& record, const GpTarget& target, const TimedExecutor& executor) {
  double in_levels = 0.0;
  for (const LevelSummary& level : record.levels) in_levels += level.seconds;
  const TimedTarget timed(target);
  find_modes(timed, *timed.box(), record.sample);
  const EvaluationTime evaluation = time_evaluation(target, record.options.annealing.seed, 0.05);
  return {{"seconds", record.times.total_seconds},
          {"task_seconds", executor.seconds_in_tasks()},
          {"planning_seconds", in_levels - executor.seconds_in_map()},
          {"after_seconds", record.times.total_seconds - in_levels - timed.seconds()},
          {"mode_seconds", timed.seconds()},
          {"mode_evaluations", timed.evaluations()},
          {"in_block_seconds", evaluation.in_block_seconds},
          {"alone_seconds", evaluation.alone_seconds}};
}

Json levels_json(const MemberRecord& record) {
  std::int64_t evaluations = 0, states = 0;
  for (const LevelSummary& level : record.levels) {
    if (level.level == 0) continue;
    evaluations += level.evaluations;
    states += level.num_states;
  }
  return {{"levels", record.levels.size() - 1},  // moved ones: level 0 is the start points
          {"evaluations", evaluations},
          {"states", states},
          {"chains", record.levels.back().num_chains}};
}

Json measure(const Case& asked) {
  FitOptions options;
  apply_settings(options, asked.settings);
  const OutputRuns data =
      lab::simulate_training_runs(lab::find_simulator(asked.function), asked.num_runs, asked.design);
  TimedExecutor executor(1);
  Observer silent;
  const MemberRecord record = fit(data, ValidFitOptions(options), {}, {executor, silent});
  const GpTarget target = make_target(record.data, record.scaling, record.options);
  Json row{{"function", asked.function}, {"design", asked.design}, {"n", data.num_runs()},
           {"p", data.num_inputs()},     {"dim", target.dim()},    {"lanes", target.lanes()},
           {"N", options.num_samples()}};
  for (const Setting& setting : asked.settings) row[setting.name] = setting.text;
  row.update(levels_json(record));
  row.update(times_json(record, target, executor));
  return row;
}

void run() {
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%s\n", measure(read_case(line)).dump().c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace ta2s2::bench

int main() {
  try {
    ta2s2::bench::run();
  } catch (const ta2s2::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
