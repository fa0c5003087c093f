#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "fit_job.hpp"

namespace ta2s2::cli {
namespace {

struct FitArguments {
  std::string runs, model, report;
  FitSettings settings;
  ConsoleOptions console;
  bool is_strict = false;
};

void run_fit(const CLI::App& command, const FitArguments& arguments) {
  const ValidFitOptions options(gather_options(command, arguments.settings));
  run_fit_job({arguments.runs, arguments.model, arguments.report, arguments.settings.config, arguments.console,
               arguments.is_strict},
              options);
}

}  // namespace

void add_fit_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("fit", "Learn an emulator from runs of the simulator");
  const auto arguments = std::make_shared<FitArguments>();
  command.add_option("runs", arguments->runs, "CSV file with a header and a row per run")->required();
  command.add_option("-o,--out", arguments->model, "model file to write; - is standard output")
      ->required()
      ->check(
          [](const std::string& path) { return path.empty() ? std::string("found no name, expected a file") : ""; });
  command.add_option("--report", arguments->report, "HTML file for the report (ta2s2 report) of the fit");
  add_fit_settings(command, arguments->settings);
  add_strict_flag(command, arguments->is_strict);
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 fit runs.csv --output y -o model.json\n"
      "  ta2s2 fit runs.csv --output y --inputs a,b,c --ranges ranges.csv --seed 7 -o model.json\n"
      "  ta2s2 fit runs.csv --output y --correlation squared-exponential --trend linear -o model.json\n"
      "  ta2s2 fit runs.csv --output y --check --strict -o model.json\n"
      "  ta2s2 fit runs.csv --output y --checkpoint run.ckpt --time-limit 55m -o model.json\n"
      "  ta2s2 fit runs.csv --output y --sampler published --prior reference -o as_the_paper.json\n"
      "  ta2s2 fit runs.csv --output y --sampler plgp -o learnt.json");
  command.callback([&command, arguments] { run_fit(command, *arguments); });
}

}  // namespace ta2s2::cli
