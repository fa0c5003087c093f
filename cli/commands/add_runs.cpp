#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "fit_job.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/add_runs_to_model.hpp"

namespace ta2s2::cli {
namespace {

constexpr const char* kOptionsOfUpdate[] = {"seed", "threads", "simd"};

struct AddRunsArguments {
  std::string model, runs, out;
  bool afresh = false;
  std::map<std::string, std::string> texts;  // by option name, as typed
  ConsoleOptions console;
};

FitOptions typed_options(const CLI::App& command, const AddRunsArguments& arguments) {
  std::vector<Setting> settings;
  for (const char* name : kOptionsOfUpdate) {
    if (command.count(std::string("--") + name) > 0) settings.push_back({name, arguments.texts.at(name)});
  }
  FitOptions options;
  apply_settings(options, settings);
  return options;
}

// Of each output: a run may have failed for some of them.
std::vector<OutputRuns> load_added(const EmulatorRecord& model, const std::string& path) {
  std::vector<OutputRuns> added;
  for (const OutputRecord& output : model.outputs) {
    added.push_back(load_test_runs(path, output.members.front().data.input_names(), output.name()));
  }
  return added;
}

void run_add_runs(const CLI::App& command, const AddRunsArguments& arguments) {
  const FitOptions typed = typed_options(command, arguments);
  const EmulatorRecord model = read_models(arguments.model);
  const std::vector<OutputRuns> added = load_added(model, arguments.runs);
  Output output(arguments.out, {arguments.model, arguments.runs});
  const std::unique_ptr<Executor> executor = make_executor(typed.threads, &stop_on_signals());
  ConsoleObserver observer(arguments.console);
  AddRunsOptions options{std::nullopt, typed.simd};
  if (command.count("--seed") > 0) options.seed = typed.annealing.seed;
  const EmulatorRecord updated = arguments.afresh ? fit_all_afresh(model, added, options, {*executor, observer})
                                                  : add_runs(model, added, options, {*executor, observer});
  print_notices(notices_of_update(model, updated), arguments.console);
  print_notices(summaries_of_update(updated), arguments.console);
  write_model(output.stream(), updated);
  output.commit();
  if (!arguments.console.quiet) tell_of_fit(updated, judge_all(updated, *executor), output, arguments.out);
}

}  // namespace

void add_add_runs_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("add-runs", "Give a fitted model more runs, for a fraction of a fit");
  const auto arguments = std::make_shared<AddRunsArguments>();
  command.add_option("model", arguments->model, "model file made by `ta2s2 fit` or `ta2s2 add-runs`")->required();
  command
      .add_option("runs", arguments->runs,
                  "CSV file with the new runs: the model's input and output columns, all of them")
      ->required();
  command.add_option("-o,--out", arguments->out, "model file to write; - is standard output")
      ->required()
      ->check(
          [](const std::string& path) { return path.empty() ? std::string("found no name, expected a file") : ""; });
  command.add_flag("--afresh", arguments->afresh,
                   "fit all runs from scratch, with the model's settings, scaling and prior: to compare");
  for (const char* name : kOptionsOfUpdate) add_table_option(command, *find_option(name), arguments->texts[name]);
  add_console_flags(command, arguments->console);
  command.footer(
      "Settings, scaling and the prior's constants are those of the model. The seed is the model's unless given.\n"
      "Every output and every model of an average is continued, and the average weighed anew.\n"
      "Examples:\n"
      "  ta2s2 add-runs model.json more.csv -o model2.json\n"
      "  ta2s2 add-runs model2.json still_more.csv --seed 7 -o model3.json\n"
      "  ta2s2 add-runs model.json more.csv --afresh -o check.json");
  command.callback([&command, arguments] { run_add_runs(command, *arguments); });
}

}  // namespace ta2s2::cli
