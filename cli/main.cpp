#include <algorithm>

#include "arguments.hpp"
#include "commands/commands.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"

namespace {

constexpr const char* kFooter = R"(Examples:
  ta2s2 design --inputs 5 --runs 50 -o design.csv     where to run the simulator
  ta2s2 plan runs.csv --output y                      how long will a fit take, on how many cores?
  ta2s2 fit runs.csv --output y -o model.json         learn an emulator from its runs
  ta2s2 compare runs.csv --output y                   which correlation, trend and prior suit the runs?
  ta2s2 resume run.ckpt                               continue a fit that was interrupted (fit --checkpoint run.ckpt)
  ta2s2 add-runs model.json more.csv -o model2.json   add new runs without fitting afresh
  ta2s2 predict model.json new.csv -o pred.csv        predict, with intervals
  ta2s2 validate model.json test.csv                  how good are the predictions?
  ta2s2 next-runs model.json --count 5 -o next.csv    where to run the simulator next
  ta2s2 sensitivity model.json                        which inputs matter?
  ta2s2 show model.json                               what was learnt
  ta2s2 report model.json -o report.html              all of it as one page to look at and send on

Exit codes: 0 done, 1 internal error, 2 usage, 3 bad data, 4 unreadable or incompatible file, 5 interrupted,
6 cannot write, 7 interrupted, but `ta2s2 resume` goes on, 8 done, but judged bad (--strict).)";

// CLI11 would only say that a subcommand is required.
void refuse_unknown_command(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  if (std::string(argv[1]) == "reproduce") {
    throw ta2s2::Error(ta2s2::ErrorCode::usage, "\"reproduce\" has moved to another program: run ta2s2-lab reproduce");
  }
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw ta2s2::Error(ta2s2::ErrorCode::usage,
                     "found \"" + std::string(argv[1]) + "\", expected a command: " + known + " (see ta2s2 --help)");
}

// CLI11 would list them backwards.
std::string unknown_argument(const CLI::App& app) {
  const std::string command = "ta2s2 " + app.get_subcommands().front()->get_name();
  const std::string found = app.remaining(true).front();
  return "found \"" + found + "\", expected " + (found[0] == '-' ? "an option of " : "no further argument of ") +
         command + " (see " + command + " --help)";
}

// --help-all is --help with every setting.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string& argument : arguments) {
    if (argument != "--help-all") continue;
    ta2s2::cli::show_all_settings();
    argument = "--help";
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  return arguments;
}

void run_command(int argc, char** argv) {
  using namespace ta2s2::cli;
  std::vector<std::string> arguments = arguments_of(argc, argv);
  CLI::App app("Fully Bayesian Gaussian-process emulators of expensive simulators", "ta2s2");
  app.set_version_flag("--version", std::string("ta2s2 ") + ta2s2::version());
  app.footer(kFooter);
  app.require_subcommand(1);
  add_design_command(app);
  add_fit_command(app);
  add_resume_command(app);
  add_add_runs_command(app);
  add_plan_command(app);
  add_compare_command(app);
  add_predict_command(app);
  add_validate_command(app);
  add_next_runs_command(app);
  add_sensitivity_command(app);
  add_show_command(app);
  add_report_command(app);
  add_draws_command(app);
  add_export_command(app);
  add_options_command(app);
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(arguments);
  } catch (const CLI::Success& success) {
    app.exit(success);
  } catch (const CLI::ExtrasError&) {
    throw ta2s2::Error(ta2s2::ErrorCode::usage, unknown_argument(app));
  } catch (const CLI::ParseError& error) {
    throw ta2s2::Error(ta2s2::ErrorCode::usage, std::string(error.what()) + " (see --help)");
  }
  check_standard_output();
}

// What several ranks do together; every other command is rank 0's alone.
bool is_shared_command(const std::string& name) {
  constexpr const char* kShared[] = {"fit", "resume", "compare", "predict", "validate"};
  return std::any_of(std::begin(kShared), std::end(kShared), [&](const char* shared) { return name == shared; });
}

void run(int argc, char** argv) {
  if (argc > 1 && is_shared_command(argv[1])) {
    ta2s2::cli::job().share();
  } else if (!ta2s2::cli::is_first_rank()) {
    return;
  }
  run_command(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return ta2s2::cli::job().run([argc, argv] { run(argc, argv); });
}
