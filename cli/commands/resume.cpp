#include "commands.hpp"
#include "console_flags.hpp"
#include "fit_arguments.hpp"
#include "fit_job.hpp"
#include "job.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/checkpoint_file.hpp"

namespace ta2s2::cli {
namespace {

// How to go on may be chosen anew; what is fitted may not.
constexpr const char* kOptionsOfResume[] = {"threads", "checkpoint-every", "time-limit"};

struct ResumeArguments {
  std::string checkpoint;
  std::map<std::string, std::string> texts;  // by option name, as typed
  ConsoleOptions console;
  bool is_strict = false;
};

void go_to_folder(const std::string& folder, const std::string& checkpoint) {
  std::error_code error;
  std::filesystem::current_path(folder, error);
  if (error) {
    throw Error(ErrorCode::bad_file, checkpoint + ": the fit was begun in the folder " + folder +
                                         ", which cannot be entered: " + error.message());
  }
}

void run_resume(const CLI::App& command, const ResumeArguments& arguments) {
  const CheckpointHeader header = CheckpointFile(arguments.checkpoint).read().header;
  if (header.command.is_in_memory()) {
    throw Error(ErrorCode::bad_file, arguments.checkpoint + ": belongs to a fit of runs in memory; to go on, " +
                                         how_to_go_on(header.command, arguments.checkpoint));
  }
  const bool is_elsewhere = std::filesystem::current_path() != header.command.folder;
  const std::string file =
      is_elsewhere ? std::filesystem::absolute(arguments.checkpoint).string() : arguments.checkpoint;
  FitOptions options;
  std::vector<Setting> settings = header.identity.settings;
  settings.push_back({"checkpoint", file});
  for (const char* name : kOptionsOfResume) {
    if (command.count(std::string("--") + name) > 0) settings.push_back({name, arguments.texts.at(name)});
  }
  apply_settings(options, settings);
  if (is_first_rank()) go_to_folder(header.command.folder, arguments.checkpoint);
  run_fit_job(
      {header.command.runs, header.command.model, header.command.report, "", arguments.console, arguments.is_strict},
      ValidFitOptions(options));
}

}  // namespace

void add_resume_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("resume", "Go on with a fit that was ended, from its checkpoint");
  const auto arguments = std::make_shared<ResumeArguments>();
  command.add_option("checkpoint", arguments->checkpoint, "file that `ta2s2 fit --checkpoint` keeps")->required();
  for (const char* name : kOptionsOfResume) add_table_option(command, *find_option(name), arguments->texts[name]);
  add_strict_flag(command, arguments->is_strict);
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 resume run.ckpt\n"
      "of a fit that was begun by\n"
      "  ta2s2 fit runs.csv --output y --checkpoint run.ckpt -o model.json");
  command.callback([&command, arguments] { run_resume(command, *arguments); });
}

}  // namespace ta2s2::cli
