#include "ta2s2/workflow/add_runs.hpp"

#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "fit_job.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2::cli {
namespace {

constexpr const char* kOptionsOfUpdate[] = {"seed", "threads", "simd"};

struct AddRunsArguments {
  std::string model, runs, out;
  bool afresh = false;
  std::map<std::string, std::string> texts;  // by option name, as typed
  ConsoleOptions console;
};

// What was typed, on top of `options`.
FitOptions typed_options(const CLI::App& command, const AddRunsArguments& arguments, FitOptions options) {
  std::vector<Setting> settings;
  for (const char* name : kOptionsOfUpdate) {
    if (command.count(std::string("--") + name) > 0) settings.push_back({name, arguments.texts.at(name)});
  }
  apply_settings(options, settings);
  return options;
}

FitRecord fit_all_afresh(const FitRecord& model, const Dataset& added, FitOptions options, RunContext context) {
  const std::vector<std::string> notices = check_added_runs(model, added);
  FitRecord record = fit_like(model, join_runs(model.data, added), ValidFitOptions(std::move(options)), context);
  record.notices.insert(record.notices.begin(), notices.begin(), notices.end());
  return record;
}

void run_add_runs(const CLI::App& command, const AddRunsArguments& arguments) {
  const FitOptions typed = typed_options(command, arguments, {});
  const FitRecord model = read_model(arguments.model);
  const Dataset added = load_test_runs(arguments.runs, model.data.input_names(), model.data.output_name());
  Output output(arguments.out, {arguments.model, arguments.runs});
  const std::unique_ptr<Executor> executor = make_executor(typed.threads, &stop_on_signals());
  ConsoleObserver observer(arguments.console);
  AddRunsOptions options{std::nullopt, typed.simd};
  if (command.count("--seed") > 0) options.seed = typed.annealing.seed;
  const FitRecord record =
      arguments.afresh
          ? fit_all_afresh(model, added, typed_options(command, arguments, model.options), {*executor, observer})
          : add_runs(model, added, options, {*executor, observer});
  const auto num_known = arguments.afresh ? 0 : static_cast<std::ptrdiff_t>(model.notices.size());
  print_notices({record.notices.begin() + num_known, record.notices.end()}, arguments.console);
  write_model(output.stream(), record);
  output.commit();
  if (!arguments.console.quiet) tell_of_fit({{single_model(record)}}, output, arguments.out);
}

}  // namespace

void add_add_runs_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("add-runs", "Give a fitted model more runs, for a fraction of a fit");
  const auto arguments = std::make_shared<AddRunsArguments>();
  command.add_option("model", arguments->model, "model file made by `ta2s2 fit` or `ta2s2 add-runs`")->required();
  command.add_option("runs", arguments->runs, "CSV file with the new runs: the model's input and output columns")
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
      "Examples:\n"
      "  ta2s2 add-runs model.json more.csv -o model2.json\n"
      "  ta2s2 add-runs model2.json still_more.csv --seed 7 -o model3.json\n"
      "  ta2s2 add-runs model.json more.csv --afresh -o check.json");
  command.callback([&command, arguments] { run_add_runs(command, *arguments); });
}

}  // namespace ta2s2::cli
