#include <CLI/CLI.hpp>
#include <cstdlib>

#include "arguments.hpp"
#include "lab/reproduce.hpp"
#include "lab/suite.hpp"
#include "output.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::lab {
namespace {

using cli::ConsoleOptions;

const std::string kSuite = "suite";

struct ReproduceArguments {
  std::string what, systems, data, functions, out = "results/reproduction";
  std::string model_names = kDefaultModel;
  std::vector<std::string> models;  // as settings
  int experiments = 5;
  int designs = 0;  // 0: as many as experiments
  std::uint64_t seed = 1;
  Index samples = 0;  // 0: the experiment's own
  int threads = 0;
  ConsoleOptions console;
};

class ConsoleProgress final : public ExperimentObserver {
 public:
  explicit ConsoleProgress(const ConsoleOptions& options) : options_(options) {}

  void on_fit(const FitProgress& fit) override {
    if (!cli::wants_lines(options_)) return;
    std::fprintf(stderr, "%4lld of %lld  %7.2f s  %s\n", static_cast<long long>(fit.number),
                 static_cast<long long>(fit.total), fit.seconds, fit.what.c_str());
  }
  void on_notice(const std::string& sentence) override { cli::print_notices({sentence}, options_); }

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

std::optional<Index> samples_of(const ReproduceArguments& arguments) {
  return arguments.samples > 0 ? std::optional<Index>(arguments.samples) : std::nullopt;
}

std::filesystem::path run_experiments(const ReproduceArguments& arguments, Executor& executor,
                                      ExperimentObserver& progress) {
  ReproduceOptions options;
  options.experiments = experiments_named(arguments.what);
  options.systems = choose_systems(arguments.systems);
  options.num_repeats = arguments.experiments;
  if (arguments.designs > 0) options.num_designs = arguments.designs;
  options.first_seed = arguments.seed;
  options.samples = samples_of(arguments);
  options.out = arguments.out;
  options.data = data_folder(arguments);
  reproduce(options, executor, progress);
  return options.out / "summary.md";
}

std::filesystem::path run_models(const ReproduceArguments& arguments, Executor& executor,
                                 ExperimentObserver& progress) {
  SuiteOptions options;
  options.models = choose_suite_models(arguments.model_names);
  for (const std::string& text : arguments.models) options.models.push_back(parse_suite_model(text));
  options.functions = choose_suite_functions(arguments.functions);
  options.num_designs = arguments.experiments;
  options.seed = arguments.seed;
  options.samples = samples_of(arguments);
  options.out = arguments.out;
  run_suite(options, executor, progress);
  return options.out / "suite_summary.md";
}

void run_reproduce(const ReproduceArguments& arguments) {
  ThreadExecutor executor(arguments.threads, &cli::stop_on_signals());
  ConsoleProgress progress(arguments.console);
  try {
    const auto summary = (arguments.what == kSuite ? run_models : run_experiments)(arguments, executor, progress);
    if (!arguments.console.quiet) std::printf("%s\n", summary.c_str());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::interrupted) throw;
    throw Error(ErrorCode::interrupted, "interrupted; " + arguments.out + " keeps what was measured, and the same " +
                                            "command goes on from there");
  }
}

// An option of one kind of run has no meaning in the other.
void refuse_strangers(const CLI::App& command, const ReproduceArguments& arguments) {
  const bool is_suite = arguments.what == kSuite;
  for (const char* name : {"--models", "--model", "--functions", "--systems", "--data", "--designs"}) {
    const bool of_suite = std::string(name).starts_with("--model") || std::string(name) == "--functions";
    if (command.count(name) == 0 || of_suite == is_suite) continue;
    throw Error(ErrorCode::usage, std::string(name) + " belongs to " +
                                      (of_suite ? "reproduce suite" : "the paper's experiments") +
                                      ", found reproduce " + arguments.what);
  }
}

void add_reproduce_command(CLI::App& app) {
  CLI::App& command = *app.add_subcommand(
      "reproduce", "Run the paper's experiments again, or compare models on a suite of test functions");
  const auto arguments = std::make_shared<ReproduceArguments>();
  command.add_option("what", arguments->what, "franke, nilson-kuusk, wing-weight, all (of these), or suite")
      ->required()
      ->check([](const std::string& what) {
        return experiments_named(what).empty() && what != kSuite
                   ? "found \"" + what + "\", expected franke, nilson-kuusk, wing-weight, all or suite"
                   : std::string();
      });
  command
      .add_option("--experiments", arguments->experiments,
                  "seeds on the first design, and designs with one seed each; suite: designs")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--designs", arguments->designs, "designs, where they are to be another number than the seeds")
      ->check(CLI::Range(1, 100000));
  command.add_option("--systems", arguments->systems,
                     "names separated by commas, or all; exact,published,map,plgp if not given");
  command.add_option("--models", arguments->model_names, "suite: names separated by commas, or all")
      ->capture_default_str();
  command
      .add_option("--model", arguments->models,
                  "suite: a further model as setting=value;setting=value; may be given again and again")
      ->take_all();
  command.add_option("--functions", arguments->functions,
                     "suite: test functions separated by commas; all if not given");
  command.add_option("-o,--out", arguments->out, "folder to write; a folder with results is continued")
      ->capture_default_str();
  command.add_option("--data", arguments->data,
                     "folder that holds nilson_kuusk/train.csv and test.csv; $TA2S2_DATA if not given");
  command.add_option("--seed", arguments->seed, "first seed")->check(CLI::NonNegativeNumber)->capture_default_str();
  command.add_option("--samples", arguments->samples, "draws per level instead of the paper's, for a quick look")
      ->check(CLI::Range(60, 10'000'000));
  command.add_option("--threads", arguments->threads, "threads to use; 0 takes every core")->check(CLI::Range(0, 1024));
  cli::add_console_flags(command, arguments->console);
  command.footer(
      "Examples:\n"
      "  ta2s2-lab reproduce franke\n"
      "  ta2s2-lab reproduce all --experiments 50 --designs 5 --data data --out results/reproduction\n"
      "  ta2s2-lab reproduce wing-weight --systems exact,map --progress plain\n"
      "  ta2s2-lab reproduce suite --models all --experiments 3 --out results/suite\n"
      "  ta2s2-lab reproduce suite --model \"correlation=matern32;trend=linear\"\n"
      "\nExit codes as those of ta2s2; after 5 (interrupted) the same command goes on where it ended.");
  command.callback([&command, arguments] {
    refuse_strangers(command, *arguments);
    run_reproduce(*arguments);
  });
}

}  // namespace

void run(int argc, char** argv) {
  CLI::App app("The laboratory of ta2s2: the paper's experiments, and models compared on test functions", "ta2s2-lab");
  app.set_version_flag("--version", std::string("ta2s2-lab ") + version());
  app.require_subcommand(1);
  add_reproduce_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorCode::usage, std::string(error.what()) + " (see --help)");
  }
  cli::check_standard_output();
}

}  // namespace ta2s2::lab

// Of the processes that a launcher started, the first one does it all.
int main(int argc, char** argv) {
  return ta2s2::cli::job().run([argc, argv] {
    if (ta2s2::cli::is_first_rank()) ta2s2::lab::run(argc, argv);
  });
}
