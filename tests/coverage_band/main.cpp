// coverage_band: how often what the report says chance allows calls a right emulator's coverage unlikely, by the
// binomial law, which takes runs for independent, and by joint replicates.
#include <CLI/CLI.hpp>
#include <iostream>

#include "coverage_band/right_emulator.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/report/judged_runs.hpp"
#include "ta2s2/workflow/chance_law.hpp"

namespace ta2s2::coverage {
namespace {

using report::JudgedRun;

// How often each happened.
struct Tally {
  int once_in_40 = 0, once_in_1000 = 0;  // so few in their 95% intervals
  int curve = 0;                         // the coverage curve leaves its band at one of its 20 levels or more
  int count = 0;

  void add(const std::vector<JudgedRun>& runs, const ChanceLaw& chance) {
    const auto n = static_cast<Index>(runs.size());
    const auto is_outside = [&](double level) {
      const CountBand band = chance.of(n, central_range(level)).band(0.95);
      const Index covered = num_covered(runs, level);
      return covered < band.low || covered > band.high;
    };
    const double tail = chance.of(n, central_range(0.95)).at_most(num_covered(runs, 0.95));
    once_in_40 += tail < 0.025;
    once_in_1000 += tail < 0.001;
    bool leaves = is_outside(0.99);
    for (int i = 1; i < 20; ++i) leaves = leaves || is_outside(0.05 * i);
    curve += leaves;
    ++count;
  }

  void print(const std::string& what) const {
    std::cout << what;
    for (const int happened : {once_in_40, once_in_1000, curve})
      std::cout << '\t' << static_cast<double>(happened) / count;
    std::cout << '\n';
  }
};

void run(const ProblemSize& size, Index data_sets, std::uint64_t seed) {
  ThreadExecutor executor(0);
  Tally left_out, binomial, joint;
  for (Index i = 0; i < data_sets; ++i) {
    const RightEmulator right = draw_right_emulator(size, seed, i);
    const LeftOutRuns runs = leave_one_out(right.predictive, 1.0, executor);
    left_out.add(report::judge_left_out(runs, right.run_outputs, executor), ChanceLaw());
    const auto unseen = report::judge_validation(right.predictive, right.inputs, right.outputs, executor);
    binomial.add(unseen, ChanceLaw());
    joint.add(unseen, replicate_jointly(right.predictive, right.inputs, right.outputs, seed, executor).chance);
  }
  std::cout << "\tonce in 40\tonce in 1000\tcurve leaves band\n";
  left_out.print("left-out runs, binomial");
  binomial.print("validation runs, binomial");
  joint.print("validation runs, joint");
}

}  // namespace
}  // namespace ta2s2::coverage

int main(int argc, char** argv) {
  ta2s2::coverage::ProblemSize size;
  ta2s2::Index data_sets = 1000;
  std::uint64_t seed = 1;
  CLI::App app("How often a right emulator's coverage is called unlikely");
  app.add_option("--runs", size.runs, "training runs")->capture_default_str();
  app.add_option("--inputs", size.inputs, "inputs")->capture_default_str();
  app.add_option("--validation", size.validation, "validation runs")->capture_default_str();
  app.add_option("--length", size.length, "length-scale, in widths of a range")->capture_default_str();
  app.add_option("--nugget", size.nugget, "nugget")->capture_default_str();
  app.add_option("--data-sets", data_sets, "data sets to draw")->capture_default_str();
  app.add_option("--seed", seed, "seed")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  ta2s2::coverage::run(size, data_sets, seed);
}
