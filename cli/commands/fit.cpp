#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_job.hpp"
#include "ta2s2/io/config_file.hpp"
#include "table_option.hpp"

namespace ta2s2::cli {
namespace {

struct FitArguments {
  std::string runs, config, model;
  std::map<std::string, std::string> texts;  // by option name, as typed
  std::map<std::string, bool> flags;
  ConsoleOptions console;
};

// The config file first, then what was typed: the command line wins.
FitOptions gather_options(const CLI::App& command, const FitArguments& arguments) {
  FitOptions options;
  if (!arguments.config.empty()) apply_settings(options, load_config(arguments.config));
  std::vector<Setting> typed;
  for (const OptionSpec& spec : option_table()) {
    if (command.count("--" + spec.name) == 0) continue;
    const std::string flag = spec.is_flag && arguments.flags.at(spec.name) ? "true" : "false";  // also --check=false
    typed.push_back({spec.name, spec.is_flag ? flag : arguments.texts.at(spec.name)});
  }
  apply_settings(options, typed);
  return options;
}

void run_fit(const CLI::App& command, const FitArguments& arguments) {
  const ValidFitOptions options(gather_options(command, arguments));
  run_fit_job({arguments.runs, arguments.model, arguments.config, arguments.console}, options);
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
  command.add_option("--config", arguments->config, "TOML file with settings, by the names below; typed options win");
  for (const OptionSpec& spec : option_table()) {
    if (spec.is_flag) {
      command.add_flag("--" + spec.name, arguments->flags[spec.name], spec.help);
    } else {
      add_table_option(command, spec, arguments->texts[spec.name]);
    }
  }
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 fit runs.csv --output y -o model.json\n"
      "  ta2s2 fit runs.csv --output y --inputs a,b,c --ranges ranges.csv --seed 7 -o model.json\n"
      "  ta2s2 fit runs.csv --output y --correlation squared-exponential --trend linear -o model.json\n"
      "  ta2s2 fit runs.csv --output y --check -o model.json\n"
      "  ta2s2 fit runs.csv --output y --checkpoint run.ckpt --time-limit 55m -o model.json\n"
      "  ta2s2 fit runs.csv --output y --sampler published --prior reference -o as_the_paper.json\n"
      "  ta2s2 fit runs.csv --output y --sampler plgp -o learnt.json");
  command.callback([&command, arguments] { run_fit(command, *arguments); });
}

}  // namespace ta2s2::cli
