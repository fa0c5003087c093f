// H with its gradient beside H alone, per point of a block: `bench_gradient [correlation [trend [transform]]]` prints a
// table. Every answer is checked against the plain gradient and the energies before it is timed; the times are the
// least of rounds that take turns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "problem.hpp"

namespace ta2s2::bench {
namespace {

constexpr int kRounds = 7;
constexpr double kSecondsPerRound = 0.02;
constexpr double kAllowedError = 1e-7;  // of a derivative, relative to the largest; nugget 1e-6

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_per_call(const std::function<void()>& call) {
  const double begin = cpu_seconds();
  double elapsed = 0.0;
  int calls = 0;
  for (; elapsed < kSecondsPerRound; ++calls) {
    call();
    elapsed = cpu_seconds() - begin;
  }
  return elapsed / calls;
}

struct Timed {
  double energy = kInfinity, both = kInfinity;  // microseconds per point
  double error = 0.0;
};

struct Block {
  explicit Block(const GpTarget& timed)
      : target(timed),
        positions(make_positions(timed.dim(), std::max(8, timed.lanes()))),
        gradients(positions.rows(), positions.cols()),
        energies(static_cast<std::size_t>(positions.cols())),
        workspace(timed.make_workspace()) {
    for (auto position : positions.colwise()) {
      position = position.cwiseMax(timed.box()->low).cwiseMin(timed.box()->high).eval();
    }
  }

  void evaluate() { target.energies(positions, *workspace, energies); }
  void differentiate() { target.energies_and_gradients(positions, *workspace, energies, gradients); }

  const GpTarget& target;
  Matrix positions, gradients;
  std::vector<Energy> energies;
  std::unique_ptr<Workspace> workspace;
};

// The largest error of a derivative; ends the program where it is too large or an energy differs.
double check(Block& block) {
  block.evaluate();
  const std::vector<Energy> alone = block.energies;
  block.differentiate();
  double worst = 0.0;
  Vector plain;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const auto column = static_cast<Index>(i);
    block.target.energy_and_gradient(block.positions.col(column), *block.workspace, plain);
    const double error =
        (block.gradients.col(column) - plain).cwiseAbs().maxCoeff() / std::max(1.0, plain.cwiseAbs().maxCoeff());
    const bool is_right = block.gradients.col(column).allFinite() && error < kAllowedError;
    if (!is_right || block.energies[i].total() != alone[i].total()) {
      std::fprintf(stderr, "wrong answer at point %zu: error %.3g of the gradient, H = %.17g and %.17g\n", i, error,
                   block.energies[i].total(), alone[i].total());
      std::exit(1);
    }
    worst = std::max(worst, error);
  }
  return worst;
}

Timed time(const GpTarget& target) {
  Block block(target);
  Timed timed;
  timed.error = check(block);
  const double scale = 1e6 / static_cast<double>(block.positions.cols());
  for (int round = 0; round < kRounds; ++round) {
    timed.energy = std::min(timed.energy, scale * seconds_per_call([&] { block.evaluate(); }));
    timed.both = std::min(timed.both, scale * seconds_per_call([&] { block.differentiate(); }));
  }
  return timed;
}

void print_table(const ModelChoice& choice) {
  std::printf("%s, trend %s, transform %s, %s\n\n", choice.correlation.c_str(), choice.trend.c_str(),
              choice.transform.c_str(), instruction_set_name(best_instruction_set()).c_str());
  std::printf("| n | p | H, us | with gradient, us | ratio | largest error |\n|---|---|---|---|---|---|\n");
  for (const Index n : {60, 100, 150, 300}) {
    for (const Index p : {5, 10, 20, 30}) {
      const Timed timed = time(make_target(make_runs(n, p), choice));
      std::printf("| %d | %d | %.3g | %.3g | %.2f | %.0e |\n", static_cast<int>(n), static_cast<int>(p), timed.energy,
                  timed.both, timed.both / timed.energy, timed.error);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  ta2s2::bench::ModelChoice choice;
  if (argc > 1) choice.correlation = argv[1];
  if (argc > 2) choice.trend = argv[2];
  if (argc > 3) choice.transform = argv[3];
  ta2s2::bench::print_table(choice);
}
