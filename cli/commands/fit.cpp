#include "ta2s2/workflow/fit.hpp"

#include <cstdio>

#include "commands.hpp"
#include "console_flags.hpp"
#include "output.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/config_file.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/verdict.hpp"

namespace ta2s2::cli {
namespace {

struct FitArguments {
  std::string runs, config, model, report;
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

void print_summary(const FitRecord& record, const std::string& path) {
  std::printf("model           %s\n", path.c_str());
  std::printf("runs            %lld, inputs %lld\n", static_cast<long long>(record.data.num_runs()),
              static_cast<long long>(record.data.num_inputs()));
  if (record.has_sample()) {
    std::printf("sample          %lld draws over %zu levels\n", static_cast<long long>(record.sample.size()),
                record.levels.size());
    std::printf("modes           %zu\n", record.modes.size());
    std::printf("verdict         %s\n", sentence(judge(record)).c_str());
    if (record.evidence) std::printf("log evidence    %s\n", evidence_text(*record.evidence).c_str());
  } else {
    std::printf("point estimate  posterior maximum, energy %.6f\n", record.map.energy);
  }
  std::printf("seconds         %.2f\n", record.times.total_seconds);
  std::printf("next            ta2s2 show %s\n", path.c_str());
}

void run_fit(const CLI::App& command, const FitArguments& arguments) {
  const ValidFitOptions options(gather_options(command, arguments));
  const Dataset data = load_runs(arguments.runs, {options->output, options->inputs});
  const std::vector<InputRange> ranges =
      options->ranges.empty() ? std::vector<InputRange>{} : load_ranges(options->ranges);
  print_notices(data.notices(), arguments.console);

  Output output(arguments.model, {arguments.runs, arguments.config, options->ranges});
  std::optional<Output> report = open_report(arguments.report, {arguments.runs, arguments.config, arguments.model});
  ThreadExecutor executor(options->threads, &stop_on_signals());
  ConsoleObserver observer(arguments.console);
  const FitRecord record = fit(data, options, ranges, {executor, observer});
  print_notices({record.notices.begin() + static_cast<std::ptrdiff_t>(data.notices().size()), record.notices.end()},
                arguments.console);
  write_model(output.stream(), record);
  output.commit();
  if (report) write_report(*report, record, executor);
  if (arguments.console.quiet) return;
  if (!output.is_standard()) return print_summary(record, arguments.model);
  for (const std::string& warning : warnings(record)) std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

std::string described(const OptionSpec& spec) {
  const std::string symbol = spec.symbol.empty() ? "" : " [paper: " + spec.symbol + "]";
  return spec.help + symbol + ": " + spec.range;
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
  command.add_option("--config", arguments->config, "TOML file with settings, by the names below; typed options win");
  for (const OptionSpec& spec : option_table()) {
    if (spec.is_flag) {
      command.add_flag("--" + spec.name, arguments->flags[spec.name], spec.help);
    } else {
      CLI::Option* option = command.add_option("--" + spec.name, arguments->texts[spec.name], described(spec));
      option->option_text("TEXT" + (spec.default_text.empty() ? "" : " [" + spec.default_text + "]"));
    }
  }
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 fit runs.csv --output y -o model.json\n"
      "  ta2s2 fit runs.csv --output y --inputs a,b,c --ranges ranges.csv --seed 7 -o model.json\n"
      "  ta2s2 fit runs.csv --output y --correlation squared-exponential --trend linear -o model.json\n"
      "  ta2s2 fit runs.csv --output y --check -o model.json\n"
      "  ta2s2 fit runs.csv --output y --sampler published --prior reference -o as_the_paper.json\n"
      "  ta2s2 fit runs.csv --output y --sampler plgp -o learnt.json");
  command.callback([&command, arguments] { run_fit(command, *arguments); });
}

}  // namespace ta2s2::cli
