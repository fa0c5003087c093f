#include <algorithm>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "console_flags.hpp"
#include "model_choice.hpp"
#include "output.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/text_file.hpp"
#include "ta2s2/report/report.hpp"

namespace ta2s2::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> models;
  std::string chosen_output, chosen_model;
  std::string validation, output;
  bool is_record = false;
  int threads = 0;
  ConsoleOptions console;
};

// A model file begins with its format's name; anything else must hold a record.
bool is_model(const std::string& text) {
  return text.substr(0, 200).find("\"ta2s2-model\"") != std::string::npos;
}

// Every output that was chosen, by the average over its models or by one of them.
EmulatorRecord chosen_part(const std::string& path, const ReportArguments& arguments) {
  const ModelChoice choice{path, arguments.chosen_output, arguments.chosen_model};
  return choice.model.empty() ? read_outputs(choice) : EmulatorRecord{{single_member(read_fit(choice))}};
}

std::vector<OutputRuns> validation_of(const EmulatorRecord& emulator, const ReportArguments& arguments) {
  std::vector<OutputRuns> validation;
  if (arguments.validation.empty()) return validation;
  for (const OutputRecord& output : emulator.outputs) {
    const OutputRuns& data = output.members.front().data;
    validation.push_back(load_test_runs(arguments.validation, data.input_names(), data.output_name()));
    print_notices(validation.back().notices(), arguments.console);
  }
  return validation;
}

ReportRecord record_of(const std::string& path, const ReportArguments& arguments, Executor& executor) {
  const std::optional<std::string> text = read_text_file(path);
  if (text && !is_model(*text) && text->find("ta2s2-report") != std::string::npos) {
    if (arguments.validation.empty()) return find_report_record(*text, path);
    throw Error(ErrorCode::usage,
                path + ": is a report, which holds its own validation; expected a model file beside --validation");
  }
  const EmulatorRecord emulator = chosen_part(path, arguments);
  return make_report_record(emulator, validation_of(emulator, arguments), executor);
}

void run_report(const ReportArguments& arguments) {
  std::vector<std::string> inputs = arguments.models;
  inputs.push_back(arguments.validation);
  Output output(arguments.output, inputs);
  ThreadExecutor executor(arguments.threads, &stop_on_signals());
  ReportRecord record = record_of(arguments.models.front(), arguments, executor);
  if (arguments.models.size() == 2) {
    record = compare_reports({arguments.models[0], record},
                             {arguments.models[1], record_of(arguments.models[1], arguments, executor)});
  }
  output.stream() << (arguments.is_record ? to_json(record) + "\n" : render_page(record));
  output.commit();
}

}  // namespace

std::optional<Output> open_report(const std::string& path, const std::vector<std::string>& others) {
  if (path.empty()) return std::nullopt;
  if (std::find(others.begin(), others.end(), path) != others.end()) {
    throw Error(ErrorCode::usage, path + ": found for --report and as another file, expected two files");
  }
  return std::make_optional<Output>(path, others);
}

void write_report(Output& output, const EmulatorRecord& model, Executor& executor) {
  output.stream() << render_page(make_report_record(model, {}, executor));
  output.commit();
}

void add_report_command(CLI::App& app) {
  CLI::App& command =
      *app.add_subcommand("report", "One HTML page that shows a model with all its outputs, or two fits side by side");
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add_option("models", arguments->models,
                  "model file made by `ta2s2 fit`, or an earlier report to draw anew; two are compared")
      ->required()
      ->expected(1, 2);
  command.add_option("--output", arguments->chosen_output, "one output of a model file that holds several");
  command.add_option("--model", arguments->chosen_model, "one model of an average, as `ta2s2 show` names it");
  command.add_option("--validation", arguments->validation, "CSV file with runs that the fit has not seen");
  command.add_option("-o,--out", arguments->output, "HTML file to write; standard output if not given");
  command.add_flag("--record", arguments->is_record,
                   "write the record that the page shows, as JSON, instead of the page");
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 report model.json -o report.html\n"
      "  ta2s2 report model.json --validation test.csv -o report.html\n"
      "  ta2s2 report model.json --output drag -o drag.html\n"
      "  ta2s2 report matern.json gaussian.json -o comparison.html");
  command.callback([arguments] { run_report(*arguments); });
}

}  // namespace ta2s2::cli
