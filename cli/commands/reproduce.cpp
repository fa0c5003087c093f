#include "ta2s2/experiments/reproduce.hpp"

#include <unistd.h>

#include <cstdlib>

#include "commands.hpp"
#include "console_flags.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::cli {
namespace {

struct ReproduceArguments {
  std::string what, systems, data, out = "results/reproduction";
  int experiments = 5;
  std::uint64_t seed = 1;
  Index samples = 0;  // 0: the experiment's own
  int threads = 0;
  ConsoleOptions console;
};

class ConsoleProgress final : public ExperimentObserver {
 public:
  explicit ConsoleProgress(const ConsoleOptions& options) : options_(options) {}

  void on_fit(const FitProgress& fit) override {
    const bool on_terminal = options_.progress == Progress::automatic && isatty(STDERR_FILENO) != 0;
    if (options_.quiet || !(on_terminal || options_.progress == Progress::plain)) return;
    std::fprintf(stderr, "%4lld of %lld  %7.2f s  %s\n", static_cast<long long>(fit.number),
                 static_cast<long long>(fit.total), fit.seconds, fit.what.c_str());
  }
  void on_notice(const std::string& sentence) override { print_notices({sentence}, options_); }

 private:
  ConsoleOptions options_;
};

std::string data_folder(const ReproduceArguments& arguments) {
  if (!arguments.data.empty()) return arguments.data;
  const char* folder = std::getenv("TA2S2_DATA");
  return folder == nullptr ? "" : folder;
}

std::vector<std::string> experiments_named(const std::string& what) {
  std::vector<std::string> names;
  for (const PaperExperiment& experiment : paper_experiments()) {
    if (what == "all" || what == experiment.name) names.push_back(experiment.name);
  }
  return names;
}

void run_reproduce(const ReproduceArguments& arguments) {
  ReproduceOptions options;
  options.experiments = experiments_named(arguments.what);
  options.systems = choose_systems(arguments.systems);
  options.num_repeats = arguments.experiments;
  options.first_seed = arguments.seed;
  if (arguments.samples > 0) options.samples = arguments.samples;
  options.out = arguments.out;
  options.data = data_folder(arguments);
  ThreadExecutor executor(arguments.threads, &stop_on_signals());
  ConsoleProgress progress(arguments.console);
  try {
    reproduce(options, executor, progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(ErrorCode::interrupted, "interrupted; " + arguments.out + " keeps what was measured, and the same " +
                                            "command goes on from there");
  }
  if (!arguments.console.quiet) std::printf("%s\n", (options.out / "summary.md").c_str());
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("reproduce", "Run the paper's experiments again");
  const auto arguments = std::make_shared<ReproduceArguments>();
  command.add_option("what", arguments->what, "franke, nilson-kuusk, wing-weight or all")
      ->required()
      ->check([](const std::string& what) {
        return experiments_named(what).empty()
                   ? "found \"" + what + "\", expected franke, nilson-kuusk, wing-weight or all"
                   : std::string();
      });
  command
      .add_option("--experiments", arguments->experiments, "designs with one seed each, and seeds on the first design")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--systems", arguments->systems,
                     "names separated by commas, or all; exact,published,map if not given");
  command.add_option("-o,--out", arguments->out, "folder to write; a folder with results is continued")
      ->capture_default_str();
  command.add_option("--data", arguments->data,
                     "folder that holds nilson_kuusk/train.csv and test.csv; $TA2S2_DATA if not given");
  command.add_option("--seed", arguments->seed, "first seed")->check(CLI::NonNegativeNumber)->capture_default_str();
  command.add_option("--samples", arguments->samples, "draws per level instead of the paper's, for a quick look")
      ->check(CLI::Range(60, 10'000'000));
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2 reproduce franke\n"
      "  ta2s2 reproduce all --experiments 50 --data data --out results/reproduction\n"
      "  ta2s2 reproduce wing-weight --systems exact,map --progress plain\n"
      "\nExit codes as for every command; after 5 (interrupted) the same command goes on where it ended.");
  command.callback([arguments] { run_reproduce(*arguments); });
}

}  // namespace ta2s2::cli
