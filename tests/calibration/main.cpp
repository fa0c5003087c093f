// calibration: the ranks of a calibration study as CSV, for tools/plot_calibration.py.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "calibration/study.hpp"
#include "calibration/uniformity.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::calibration {
namespace {

void write_csv(const std::vector<RankedProblem>& problems, const std::string& path) {
  std::ofstream file(path);
  file.precision(17);
  file << "problem,runs,inputs,quantity,rank\n";
  for (std::size_t i = 0; i < problems.size(); ++i) {
    for (const Rank& rank : problems[i].ranks) {
      file << i << ',' << problems[i].runs << ',' << problems[i].inputs << ',' << rank.quantity << ',' << rank.value
           << '\n';
    }
  }
  if (!file.flush()) throw Error(ErrorCode::cannot_write, "cannot write " + path);
}

void print_checks(const std::vector<Check>& checks) {
  for (const Check& check : checks) std::cout << check.p_value << '\t' << check.name << '\n';
  std::cout << failed_checks(checks).size() << " of " << checks.size() << " checks failed\n";
}

int run(int argc, char** argv) {
  StudyOptions options = default_study();
  std::string kernel = find_option("move")->default_text;
  std::string growth = find_option("growth")->default_text;
  std::string samples = find_option("samples")->default_text;
  std::string path = "ranks.csv";
  int threads = 0;
  CLI::App app("Draws problems from the prior, fits each, and writes where the truth lies in its posterior");
  app.add_option("--data-sets", options.num_problems, "problems to draw")->capture_default_str();
  app.add_option("--move", kernel, "move of the fits")->capture_default_str();
  app.add_option("--growth", growth, "chain growth of the fits: equal, tmcmc")->capture_default_str();
  app.add_option("--samples", samples, "draws per level of the fits")->capture_default_str();
  app.add_option("--seed", options.seed, "seed of problems and fits")->capture_default_str();
  app.add_option("--threads", threads, "0: every core")->capture_default_str();
  app.add_option("-o", path, "CSV file to write")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  apply_settings(options.fit, {{"samples", samples}});
  // The default sampler has a move and a growth of its own.
  const bool is_annealed = kernel != find_option("move")->default_text || growth != find_option("growth")->default_text;
  if (is_annealed) apply_settings(options.fit, {{"sampler", "annealed"}, {"move", kernel}, {"growth", growth}});
  ThreadExecutor executor(threads);
  const std::vector<RankedProblem> problems = run_study(options, executor);
  write_csv(problems, path);
  print_checks(calibration_checks(ranks_by_quantity(problems)));
  return 0;
}

}  // namespace
}  // namespace ta2s2::calibration

int main(int argc, char** argv) {
  try {
    return ta2s2::calibration::run(argc, argv);
  } catch (const ta2s2::Error& error) {
    std::cerr << "calibration: " << error.what() << '\n';
    return static_cast<int>(error.code());
  }
}
