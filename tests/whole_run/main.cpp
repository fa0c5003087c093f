// whole_runs: bias and error of whole runs against known truths, as the Markdown tables of docs/exactness.md.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "whole_run/table.hpp"

namespace ta2s2::whole_run {
namespace {

struct Settings {
  std::vector<std::string> targets;  // beginnings of names; none: all
  std::vector<Index> samples = {500, 2000, 8000};
  Index seeds = 40;
  AnnealOptions annealing;
};

bool is_wanted(const std::string& name, const std::vector<std::string>& beginnings) {
  const auto begins = [&](const std::string& beginning) { return name.starts_with(beginning); };
  return beginnings.empty() || std::any_of(beginnings.begin(), beginnings.end(), begins);
}

std::vector<TableRow> run_all(Settings settings, Executor& executor) {
  std::vector<TableRow> rows;
  for (const NamedProblem& named : problems()) {
    if (!is_wanted(named.name, settings.targets)) continue;
    const Problem problem = named.make();
    for (const Index num_samples : settings.samples) {
      std::cerr << named.name << ", N = " << num_samples << '\n';
      settings.annealing.num_samples = num_samples;
      rows.push_back({named.name, num_samples, run_seeds(problem, settings.annealing, settings.seeds, executor)});
    }
  }
  return rows;
}

int run(int argc, char** argv) {
  Settings settings;
  const std::map<std::string, Growth> growths = {{"equal", Growth::equal}, {"tmcmc", Growth::tmcmc}};
  const std::map<std::string, Coordinates> coordinates = {{"unbounded", Coordinates::unbounded},
                                                          {"box", Coordinates::box}};
  int threads = 0;
  CLI::App app("Runs the sampler over many seeds on targets with known truths and prints its bias and error");
  app.add_option("--target", settings.targets, "targets whose names begin so; all if not given");
  app.add_option("--kernel", settings.annealing.kernel.name, "kernel")->capture_default_str();
  app.add_option("--growth", settings.annealing.growth, "chain growth: equal, tmcmc")
      ->transform(CLI::CheckedTransformer(growths));
  app.add_option("--coordinates", settings.annealing.coordinates, "coordinates of the moves: unbounded, box")
      ->transform(CLI::CheckedTransformer(coordinates));
  app.add_option("--seeds", settings.seeds, "runs per target and number of samples")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  app.add_option("--samples", settings.samples, "draws per level, one or several numbers")->capture_default_str();
  app.add_option("--threads", threads, "0: every core")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  ThreadExecutor executor(threads);
  write_tables(run_all(settings, executor), std::cout);
  return 0;
}

}  // namespace
}  // namespace ta2s2::whole_run

int main(int argc, char** argv) {
  try {
    return ta2s2::whole_run::run(argc, argv);
  } catch (const ta2s2::Error& error) {
    std::cerr << "whole_runs: " << error.what() << '\n';
    return static_cast<int>(error.code());
  }
}
