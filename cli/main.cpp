#include <cstdio>
#include <exception>

#include "commands/commands.hpp"
#include "exit_codes.hpp"
#include "output.hpp"
#include "ta2s2/workflow/version.hpp"

namespace {

constexpr const char* kFooter = R"(Examples:
  ta2s2 design --inputs 5 --runs 50 -o design.csv     where to run the simulator
  ta2s2 fit runs.csv --output y -o model.json         learn an emulator from its runs
  ta2s2 predict model.json new.csv -o pred.csv        predict, with intervals
  ta2s2 validate model.json test.csv                  how good are the predictions?
  ta2s2 show model.json                               what was learnt
  ta2s2 report model.json -o report.html              all of it as one page to look at and send on
  ta2s2 reproduce franke                              the paper's experiments again

Exit codes: 0 done, 1 internal error, 2 usage, 3 bad data, 4 unreadable or incompatible file, 5 interrupted,
6 cannot write.)";

// CLI11 would only say that a subcommand is required.
void refuse_unknown_command(CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw ta2s2::Error(ta2s2::ErrorCode::usage,
                     "found \"" + std::string(argv[1]) + "\", expected a command: " + known + " (see ta2s2 --help)");
}

int run(int argc, char** argv) {
  using namespace ta2s2::cli;
  CLI::App app("Fully Bayesian Gaussian-process emulators of expensive simulators", "ta2s2");
  app.set_version_flag("--version", std::string("ta2s2 ") + ta2s2::version());
  app.footer(kFooter);
  app.require_subcommand(1);
  add_design_command(app);
  add_fit_command(app);
  add_predict_command(app);
  add_validate_command(app);
  add_show_command(app);
  add_report_command(app);
  add_draws_command(app);
  add_options_command(app);
  add_reproduce_command(app);
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw ta2s2::Error(ta2s2::ErrorCode::usage, std::string(error.what()) + " (see --help)");
  }
  check_standard_output();
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const ta2s2::Error& error) {
    std::fprintf(stderr, "ta2s2: %s\n", error.what());
    return ta2s2::cli::exit_code(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ta2s2: internal error: %s\nPlease report it, with the command and the data.\n", error.what());
    return ta2s2::cli::exit_code(ta2s2::ErrorCode::internal);
  }
}
