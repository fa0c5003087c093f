#include "ta2s2/workflow/fit.hpp"

#include <cstdio>

#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "output.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/summary.hpp"
#include "ta2s2/workflow/verdict.hpp"

namespace ta2s2::cli {
namespace {

struct FitArguments {
  std::string runs, model;
  FitSettings settings;
  ConsoleOptions console;
};

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
  const ValidFitOptions options(gather_options(command, arguments.settings));
  const Dataset data = load_runs(arguments.runs, {options->output, options->inputs});
  const std::vector<InputRange> ranges =
      options->ranges.empty() ? std::vector<InputRange>{} : load_ranges(options->ranges);
  print_notices(data.notices(), arguments.console);

  Output output(arguments.model, {arguments.runs, arguments.settings.config, options->ranges});
  ThreadExecutor executor(options->threads, &stop_on_signals());
  ConsoleObserver observer(arguments.console);
  const FitRecord record = fit(data, options, ranges, {executor, observer});
  print_notices({record.notices.begin() + static_cast<std::ptrdiff_t>(data.notices().size()), record.notices.end()},
                arguments.console);
  write_model(output.stream(), record);
  output.commit();
  if (arguments.console.quiet) return;
  if (!output.is_standard()) return print_summary(record, arguments.model);
  for (const std::string& warning : warnings(record)) std::fprintf(stderr, "warning: %s\n", warning.c_str());
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
  add_fit_settings(command, arguments->settings);
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
