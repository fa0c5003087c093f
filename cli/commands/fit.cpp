// fit, resume and add-runs: the commands that end with a new model file.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::cli {
namespace {

// ---- one fit, from files to files ----

struct FitFiles {
  std::string runs, model;
  std::string report;  // empty: none
  std::string config;  // read already; not to be overwritten
};

struct FitManner {
  ConsoleOptions console;
  bool is_strict = false;  // Error{judged_bad} at the end if the judgement is bad
};

std::optional<Output> open_report(const FitFiles& files, const std::string& checkpoint) {
  if (files.report.empty()) return std::nullopt;
  const std::vector<std::string> others = {files.runs, files.config, files.model, checkpoint};
  if (std::find(others.begin(), others.end(), files.report) != others.end()) {
    throw Error(ErrorCode::usage, files.report + ": found for --report and as another file, expected two files");
  }
  return std::make_optional<Output>(files.report, others);
}

// After a model was written: a summary, unless the model itself went to standard output, and warnings.
void tell_of_fit(const Emulator& emulator, const std::string& path, const Output& output, const Context& context,
                 const FitManner& manner) {
  const std::vector<Judgement> judgements = emulator.judgements(context);
  if (!manner.console.quiet && !output.is_standard()) {
    std::printf("model           %s\n%snext            ta2s2 show %s\n", path.c_str(),
                emulator.brief_text(context).c_str(), path.c_str());
  }
  print_warnings(warnings_of(judgements), manner.console);
  require_not_bad(judgements, manner.is_strict);
}

void fit_files(const FitFiles& files, const Dataset& runs, const FitRequest& request, const FitManner& manner) {
  print_notices(runs.notices(), manner.console);
  const Checkpoint& checkpoint = request.context.checkpoint;
  Output output(files.model, {files.runs, files.config, request.columns.ranges, checkpoint.file});
  std::optional<Output> report = open_report(files, checkpoint.file);
  if (!checkpoint.file.empty() && has_checkpoint(checkpoint.file)) {
    print_notices({"going on from " + checkpoint.file}, manner.console);
  }
  Context context = make_context(manner.console, request.context.threads);
  context.checkpoint = checkpoint;
  const Emulator emulator = Emulator::fit(runs, request.settings, context);
  context.checkpoint = {};
  print_notices(emulator.notices(), manner.console);
  emulator.write(output.stream());
  output.commit();
  if (report) {
    report->stream() << emulator.report(nullptr, context).html;
    report->commit();
  }
  if (!checkpoint.file.empty() && is_first_rank()) remove_checkpoint(checkpoint.file);
  tell_of_fit(emulator, files.model, output, context, manner);
}

// ---- fit ----

struct FitCommandArguments {
  FitFiles files;
  FitArguments settings;
  FitManner manner;
};

void run_fit(const CLI::App& command, FitCommandArguments arguments) {
  FitRequest request = gather_request(command, arguments.settings);
  arguments.files.config = arguments.settings.config;
  const FitFiles& files = arguments.files;
  request.context.checkpoint.command = {std::filesystem::current_path().string(), files.runs, files.model,
                                        files.report};
  check_settings(request);
  fit_files(files, Dataset::read_csv(files.runs, request.columns), request, arguments.manner);
}

// ---- resume ----

// How to go on may be chosen anew; what is fitted may not.
const std::vector<std::string> kOptionsOfResume = {"threads", "checkpoint-every", "time-limit"};

struct ResumeArguments {
  std::string checkpoint, model, report;
  FitArguments settings;
  FitManner manner;
};

// In the folder where the fit was begun, as long as it lives: paths that are read were given there.
class Visit {
 public:
  Visit(const std::string& folder, const std::string& checkpoint) : home_(std::filesystem::current_path()) {
    std::error_code error;
    if (is_first_rank()) std::filesystem::current_path(folder, error);
    if (!error) return;
    throw Error(ErrorCode::bad_file, checkpoint + ": the fit was begun in the folder " + folder +
                                         ", which cannot be entered: " + error.message());
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() {
    std::error_code ignored;
    std::filesystem::current_path(home_, ignored);
  }

 private:
  std::filesystem::path home_;
};

// A checkpoint may be a stranger's, so that a path in it is no reason to overwrite a file: what is written goes where
// the command line says, or stays in the checkpoint's own folder.
std::string path_to_write(const std::string& typed, const std::string& stored, const std::string& option,
                          const FitCommand& begun, const std::string& checkpoint) {
  if (!typed.empty() || stored.empty() || stored == "-") return typed.empty() ? stored : typed;
  namespace fs = std::filesystem;
  const fs::path target = fs::weakly_canonical(fs::path(begun.folder) / stored);
  const fs::path own = fs::weakly_canonical(fs::absolute(checkpoint)).parent_path();
  if (target.parent_path() == own) return target.string();
  throw Error(ErrorCode::usage, checkpoint + ": names " + target.string() +
                                    " to write to, which is not in the checkpoint's own folder; give " + option);
}

void run_resume(const CLI::App& command, const ResumeArguments& arguments) {
  UnfinishedFit fit = read_checkpoint(arguments.checkpoint);
  if (fit.command.is_in_memory()) {
    throw Error(ErrorCode::bad_file, arguments.checkpoint + ": belongs to a fit of runs in memory; to go on, " +
                                         how_to_go_on(fit.command, arguments.checkpoint));
  }
  FitFiles files{
      (std::filesystem::path(fit.command.folder) / fit.command.runs).string(),
      path_to_write(arguments.model, fit.command.model, "-o MODEL", fit.command, arguments.checkpoint),
      path_to_write(arguments.report, fit.command.report, "--report PAGE", fit.command, arguments.checkpoint), ""};
  fit.request.context = gather_request(command, arguments.settings).context;
  fit.request.context.checkpoint.file = arguments.checkpoint;
  fit.request.context.checkpoint.command = fit.command;
  const Dataset runs = [&] {
    const Visit there(fit.command.folder, arguments.checkpoint);
    return Dataset::read_csv(fit.command.runs, fit.request.columns);
  }();
  fit_files(files, runs, fit.request, arguments.manner);
}

// ---- add-runs ----

struct AddRunsArguments {
  std::string model, runs, out;
  bool afresh = false;
  FitArguments settings;
  FitManner manner;
};

void run_add_runs(const CLI::App& command, const AddRunsArguments& arguments) {
  const FitRequest typed = gather_request(command, arguments.settings);
  const Emulator before = Emulator::load(arguments.model);
  const Dataset more = before.read_runs(arguments.runs);
  Output output(arguments.out, {arguments.model, arguments.runs});
  const Context context = make_context(arguments.manner.console, typed.context.threads);
  const AddRunsOptions options{typed.settings.sampler.seed, typed.settings.instructions.value_or("auto"),
                               arguments.afresh};
  const Emulator after = before.add_runs(more, options, context);
  print_notices(before.notices_of_update(after), arguments.manner.console);
  print_notices(after.summaries_of_update(), arguments.manner.console);
  after.write(output.stream());
  output.commit();
  tell_of_fit(after, arguments.out, output, context, arguments.manner);
}

}  // namespace

void add_fit_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("fit", "Learn an emulator from runs of the simulator");
  const auto arguments = std::make_shared<FitCommandArguments>();
  command.add_option("runs", arguments->files.runs, "CSV file with a header and a row per run")->required();
  add_model_target(command, arguments->files.model);
  command.add_option("--report", arguments->files.report, "HTML file for the report (ta2s2 report) of the fit");
  add_fit_settings(command, arguments->settings);
  add_strict_flag(command, arguments->manner.is_strict);
  add_console_flags(command, arguments->manner.console);
  command.footer(
      "Examples:\n"
      "  ta2s2 fit runs.csv --output y -o model.json\n"
      "  ta2s2 fit runs.csv --output y --inputs a,b,c --ranges ranges.csv --seed 7 -o model.json\n"
      "  ta2s2 fit runs.csv --output y --correlation squared-exponential --trend linear -o model.json\n"
      "  ta2s2 fit runs.csv --output y --checkpoint run.ckpt --time-limit 55m -o model.json");
  command.callback([&command, arguments] { run_fit(command, *arguments); });
}

void add_resume_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("resume", "Go on with a fit that was ended, from its checkpoint");
  const auto arguments = std::make_shared<ResumeArguments>();
  command.add_option("checkpoint", arguments->checkpoint, "file that `ta2s2 fit --checkpoint` keeps")->required();
  command.add_option("-o,--out", arguments->model,
                     "model file to write; without it the fit's own, if that is in the checkpoint's folder");
  command.add_option("--report", arguments->report, "HTML file for the report, by the same rule");
  add_settings(command, kOptionsOfResume, arguments->settings);
  add_strict_flag(command, arguments->manner.is_strict);
  add_console_flags(command, arguments->manner.console);
  command.footer(
      "Examples:\n"
      "  ta2s2 resume run.ckpt\n"
      "  ta2s2 resume run.ckpt -o results/model.json --report results/report.html\n"
      "of a fit that was begun by\n"
      "  ta2s2 fit runs.csv --output y --checkpoint run.ckpt -o model.json");
  command.callback([&command, arguments] { run_resume(command, *arguments); });
}

void add_add_runs_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("add-runs", "Give a fitted model more runs, for a fraction of a fit");
  const auto arguments = std::make_shared<AddRunsArguments>();
  command.add_option("model", arguments->model, "model file made by `ta2s2 fit` or `ta2s2 add-runs`")->required();
  command
      .add_option("runs", arguments->runs,
                  "CSV file with the new runs: the model's input and output columns, all of them")
      ->required();
  add_model_target(command, arguments->out);
  command.add_flag("--afresh", arguments->afresh,
                   "fit all runs from scratch, with the model's settings, scaling and prior: to compare");
  add_settings(command, {"seed", "threads", "simd"}, arguments->settings);
  add_strict_flag(command, arguments->manner.is_strict);
  add_console_flags(command, arguments->manner.console);
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
