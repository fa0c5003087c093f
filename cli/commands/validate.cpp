#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "console_flags.hpp"
#include "job.hpp"
#include "judgements.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/gp/spec.hpp"
#include "ta2s2/io/summary_json.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  ModelChoice model;
  std::string runs;
  bool json = false;
  int threads = 0;
  bool is_strict = false;
  ConsoleOptions console;
};

Json to_json(const Scores& scores) {
  Json coverage = Json::object();
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    coverage[format_number(kCoverageLevels[i])] = scores.coverage[i];
  }
  return {{"n", scores.n},       {"rmse", scores.rmse},
          {"crps", scores.crps}, {"crps_normal_mixture", scores.crps_normal_mixture},
          {"nlpd", scores.nlpd}, {"interval_score_95", scores.interval_score_95},
          {"coverage", coverage}};
}

void print_row(const char* name, double mixture, double map) {
  std::printf("%-22s%14.6g%14.6g\n", name, mixture, map);
}

void print_table(const Scores& mixture, const Scores& map) {
  std::printf("%lld test runs\n%-22s%14s%14s\n", static_cast<long long>(mixture.n), "", "posterior", "plug-in MAP");
  print_row("RMSE", mixture.rmse, map.rmse);
  print_row("CRPS", mixture.crps, map.crps);
  print_row("CRPS, normal mixture", mixture.crps_normal_mixture, map.crps_normal_mixture);
  print_row("NLPD", mixture.nlpd, map.nlpd);
  print_row("interval score 95%", mixture.interval_score_95, map.interval_score_95);
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    const std::string name = "coverage of " + format_number(100.0 * kCoverageLevels[i]) + "%";
    print_row(name.c_str(), mixture.coverage[i], map.coverage[i]);
  }
}

struct OutputScores {
  std::string name;
  Scores mixture, map;
  Judgement judgement;
};

OutputScores score(const OutputRecord& output, const ValidateArguments& arguments, Executor& executor) {
  const OutputRuns runs = load_test_runs(arguments.runs, output.members.front().data.input_names(), output.name());
  print_notices(runs.notices(), arguments.console);
  OutputScores scores{output.name(),
                      validate(make_predictive(output), runs, executor),
                      validate(make_plug_in(output), runs, executor),
                      {}};
  const UnseenRuns validation = make_validation(output, runs, scores.mixture.rmse, scores.mixture.pit, executor);
  scores.judgement = judge(output, left_out_facts(output, executor), &validation);
  return scores;
}

Json to_json(const OutputScores& scores) {
  Json document = to_json(scores.mixture);
  document["map"] = to_json(scores.map);
  document["judgement"] = Json::parse(summary_json(scores.judgement));
  return document;
}

Json to_json(const std::vector<OutputScores>& scores) {
  if (scores.size() == 1) return to_json(scores.front());
  Json outputs = Json::object();
  for (const OutputScores& output : scores) outputs[output.name] = to_json(output);
  return {{"outputs", outputs}};
}

void print_tables(const std::vector<OutputScores>& scores) {
  for (const OutputScores& output : scores) {
    if (scores.size() > 1) std::printf("%s%s: ", &output == &scores.front() ? "" : "\n", output.name.c_str());
    print_table(output.mixture, output.map);
    std::printf("judgement: %s\n", judgement_line(output.judgement).c_str());
  }
}

void run_validate(const ValidateArguments& arguments) {
  const EmulatorRecord model = read_outputs(arguments.model);
  const std::unique_ptr<Executor> executor = make_executor(arguments.threads, &stop_on_signals());
  std::vector<OutputScores> scores;
  for (const OutputRecord& output : model.outputs) scores.push_back(score(output, arguments, *executor));
  if (arguments.json) {
    Output output("", {});
    output.stream() << to_json(scores).dump(2) << '\n';
    output.commit();
  } else {
    print_tables(scores);
  }
  std::vector<Judgement> judgements;
  for (const OutputScores& each : scores) judgements.push_back(each.judgement);
  if (!arguments.console.quiet) print_warnings(judgements);
  require_not_bad(judgements, arguments.is_strict);
}

}  // namespace

void add_validate_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("validate", "Score predictions against runs the model has not seen");
  const auto arguments = std::make_shared<ValidateArguments>();
  add_output_choice(command, arguments->model);
  command.add_option("runs", arguments->runs, "CSV file with the model's input and output columns")->required();
  command.add_flag("--json", arguments->json, "print JSON");
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  add_strict_flag(command, arguments->is_strict);
  add_console_flags(command, arguments->console);
  command.footer("Example:\n  ta2s2 validate model.json test.csv --json");
  command.callback([arguments] { run_validate(*arguments); });
}

}  // namespace ta2s2::cli
