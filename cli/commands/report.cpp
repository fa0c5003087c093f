#include <fstream>
#include <sstream>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> models;
  EmulatorChoice choice;
  std::string validation, output;
  bool is_record = false;
  int threads = 0;
  ConsoleOptions console;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

// Of a model file every output that was chosen, by the average over its models or by one of them; of an earlier report
// what it holds.
Report report_of(const std::string& path, const ReportArguments& arguments) {
  const std::string text = text_of(path);
  if (!is_model_file(text) && text.find("ta2s2-report") != std::string::npos) {
    if (arguments.validation.empty()) return redraw_report(text, path);
    throw Error(ErrorCode::usage,
                path + ": is a report, which holds its own validation; expected a model file beside --validation");
  }
  const Emulator emulator = arguments.choice.part_of(Emulator::load(path));
  const Context context = make_context(arguments.console, arguments.threads);
  if (arguments.validation.empty()) return emulator.report(nullptr, context);
  const Dataset validation = emulator.read_runs(arguments.validation);
  print_notices(validation.notices(), arguments.console);
  return emulator.report(&validation, context);
}

void run_report(const ReportArguments& arguments) {
  std::vector<std::string> inputs = arguments.models;
  inputs.push_back(arguments.validation);
  Output output(arguments.output, inputs);
  Report report = report_of(arguments.models.front(), arguments);
  if (arguments.models.size() == 2) {
    report =
        compare_reports(arguments.models[0], report, arguments.models[1], report_of(arguments.models[1], arguments));
  }
  output.stream() << (arguments.is_record ? report.json : report.html);
  output.commit();
}

}  // namespace

void add_report_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand(
      "report", "Make one HTML page that shows a model with all its outputs, or two fits side by side");
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add_option("models", arguments->models,
                  "model file made by `ta2s2 fit`, or an earlier report to draw anew; two are compared")
      ->required()
      ->expected(1, 2);
  command.add_option("--output", arguments->choice.output, "one output of a model file that holds several");
  command.add_option("--member,--model", arguments->choice.member, "one model of an average, as `ta2s2 show` names it");
  command.add_option("--validation", arguments->validation, "CSV file with runs that the fit has not seen");
  command.add_option("-o,--out", arguments->output, "HTML file to write; standard output if not given");
  command.add_flag("--record", arguments->is_record,
                   "write the record that the page shows, as JSON, instead of the page");
  add_threads(command, arguments->threads);
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
