#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace ta2s2::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ValidateArguments {
  EmulatorChoice model;
  std::string runs;
  bool json = false;
  int threads = 0;
  bool is_strict = false;
  ConsoleOptions console;
};

Json to_json(const Scores& scores) {
  Json coverage = Json::object();
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    coverage[csv_number(kCoverageLevels[i])] = scores.coverage[i];
  }
  return {{"n", scores.n},       {"rmse", scores.rmse},
          {"crps", scores.crps}, {"crps_normal_mixture", scores.crps_normal_mixture},
          {"nlpd", scores.nlpd}, {"interval_score_95", scores.interval_score_95},
          {"coverage", coverage}};
}

// The normal mixture's CRPS does not exist where an output is transformed: its row is left out, and its JSON is null.
void print_row(const char* name, double mixture, double map) {
  if (std::isnan(mixture)) return;
  std::printf("%-22s%14.6g%14.6g\n", name, mixture, map);
}

void print_table(const Scores& mixture, const Scores& map) {
  std::printf("%lld validation runs\n%-22s%14s%14s\n", static_cast<long long>(mixture.n), "", "posterior",
              "plug-in MAP");
  print_row("RMSE", mixture.rmse, map.rmse);
  print_row("CRPS", mixture.crps, map.crps);
  print_row("CRPS, normal mixture", mixture.crps_normal_mixture, map.crps_normal_mixture);
  print_row("NLPD", mixture.nlpd, map.nlpd);
  print_row("interval score 95%", mixture.interval_score_95, map.interval_score_95);
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    const std::string name = "coverage of " + csv_number(100.0 * kCoverageLevels[i]) + "%";
    print_row(name.c_str(), mixture.coverage[i], map.coverage[i]);
  }
}

Json to_json(const OutputValidation& scores) {
  Json document = to_json(scores.posterior);
  document["map"] = to_json(scores.plug_in);
  document["judgement"] = Json::parse(to_json(scores.judgement));
  return document;
}

Json to_json(const std::vector<OutputValidation>& scores) {
  if (scores.size() == 1) return to_json(scores.front());
  Json outputs = Json::object();
  for (const OutputValidation& output : scores) outputs[output.output] = to_json(output);
  return {{"outputs", outputs}};
}

void print_tables(const std::vector<OutputValidation>& scores) {
  for (const OutputValidation& output : scores) {
    if (scores.size() > 1) std::printf("%s%s: ", &output == &scores.front() ? "" : "\n", output.output.c_str());
    print_table(output.posterior, output.plug_in);
    std::printf("judgement: %s\n", output.judgement.line().c_str());
  }
}

void run_validate(const ValidateArguments& arguments) {
  const Emulator emulator = arguments.model.load();
  const Dataset unseen = emulator.read_runs(arguments.runs);
  print_notices(unseen.notices(), arguments.console);
  const std::vector<OutputValidation> scores =
      emulator.validate(unseen, make_context(arguments.console, arguments.threads));
  if (arguments.json) {
    Output output("", {});
    output.stream() << to_json(scores).dump(2) << '\n';
    output.commit();
  } else {
    print_tables(scores);
  }
  std::vector<Judgement> judgements;
  for (const OutputValidation& each : scores) judgements.push_back(each.judgement);
  print_warnings(warnings_of(judgements), arguments.console);
  require_not_bad(judgements, arguments.is_strict);
}

}  // namespace

void add_validate_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("validate", "Score predictions against runs the model has not seen");
  const auto arguments = std::make_shared<ValidateArguments>();
  add_output_choice(command, arguments->model);
  command.add_option("runs", arguments->runs, "CSV file with the model's input and output columns")->required();
  command.add_flag("--json", arguments->json, "print JSON");
  add_threads(command, arguments->threads);
  add_strict_flag(command, arguments->is_strict);
  add_console_flags(command, arguments->console);
  command.footer("Example:\n  ta2s2 validate model.json test.csv --json");
  command.callback([arguments] { run_validate(*arguments); });
}

}  // namespace ta2s2::cli
