// Time of every part of the hot loop at every size, by Google Benchmark; bench/micro/run and bench/growth/run make
// tables of it. An answer is checked before it is timed.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "check_energies.hpp"
#include "dgemm_prior.hpp"
#include "register_peak.hpp"

namespace ta2s2::bench {
namespace {

using benchmark::Counter;

struct Size {
  Index n, p;
};

constexpr Size kSizes[] = {{20, 2}, {100, 5}, {100, 10}, {300, 10}, {500, 10}, {1000, 10}};

// A target, a block of positions and the error of its answers, made once for all repetitions.
struct CheckedProblem {
  CheckedProblem(Size size, const ModelChoice& choice)
      : target(make_target(make_runs(size.n, size.p), choice)),
        positions(make_positions(size.p, target.lanes())),
        error(check_energies(target, choice, positions)) {}

  GpTarget target;
  Matrix positions;
  double error;
};

const CheckedProblem& checked_problem(Size size, const ModelChoice& choice) {
  static std::map<std::string, CheckedProblem> known;
  const std::string key = std::to_string(size.n) + ' ' + std::to_string(size.p) + ' ' + choice.correlation + ' ' +
                          choice.trend + ' ' + choice.prior;
  if (const auto found = known.find(key); found != known.end()) return found->second;
  return known.try_emplace(key, size, choice).first->second;
}

// What H is counted as: the Cholesky, and per pair of runs p squared differences and an exponential.
double flops_of_energy(Size size) {
  const auto n = static_cast<double>(size.n), p = static_cast<double>(size.p);
  return n * n * n / 3.0 + n * (n - 1.0) / 2.0 * (3.0 * p + 27.0);
}

void describe(benchmark::State& state, Size size, Index points) {
  state.counters["n"] = static_cast<double>(size.n);
  state.counters["p"] = static_cast<double>(size.p);
  state.counters["points"] = static_cast<double>(points);
}

void time_energy(benchmark::State& state, Size size, const ModelChoice& choice, bool single) {
  const CheckedProblem& problem = checked_problem(size, choice);
  const Matrix positions = problem.positions.leftCols(single ? 1 : problem.target.lanes());
  const auto workspace = problem.target.make_workspace();
  std::vector<Energy> energies(static_cast<std::size_t>(positions.cols()));
  for (auto _ : state) {
    problem.target.energies(positions, *workspace, energies);
    benchmark::DoNotOptimize(energies.data());
    benchmark::ClobberMemory();
  }
  describe(state, size, positions.cols());
  state.counters["error"] = problem.error;
  state.counters["flops"] =
      Counter(flops_of_energy(size) * static_cast<double>(positions.cols()), Counter::kIsIterationInvariantRate);
}

// Of H and its gradient at one point; the energy that comes with it is checked against that of the block.
void time_gradient(benchmark::State& state, Size size, const ModelChoice& choice) {
  const CheckedProblem& problem = checked_problem(size, choice);
  const Vector position = problem.positions.col(0);
  const auto workspace = problem.target.make_workspace();
  Energy energy;
  problem.target.energies(position, *workspace, {&energy, 1});
  Vector gradient;
  const Energy found = problem.target.energy_and_gradient(position, *workspace, gradient);
  if (!(std::abs(found.total() - energy.total()) < 1e-6)) {
    std::fprintf(stderr, "wrong energy with the gradient: %.15g, not %.15g\n", found.total(), energy.total());
    std::exit(1);
  }
  for (auto _ : state) {
    problem.target.energy_and_gradient(position, *workspace, gradient);
    benchmark::DoNotOptimize(gradient.data());
    benchmark::ClobberMemory();
  }
  describe(state, size, 1);
}

Energy first_energy(const CheckedProblem& problem) {
  Energy energy;
  problem.target.energies(problem.positions.leftCols(1), *problem.target.make_workspace(), std::span(&energy, 1));
  return energy;
}

// Two energies that differ in the prior only; the other one is uniform on the box.
double log_reference_prior(Size size) {
  const CheckedProblem& uniform = checked_problem(size, {});
  const CheckedProblem& reference = checked_problem(size, {.prior = "reference"});
  return first_energy(uniform).total() - uniform.target.space().log_volume() - first_energy(reference).total();
}

DgemmPrior make_dgemm_prior(Size size) {
  const CheckedProblem& problem = checked_problem(size, {});
  const GpModel& model = *problem.target.model();
  const GpParameters parameters = problem.target.space().natural(problem.positions.col(0));
  GpFactor factor;
  factorise(model, parameters, factor);
  return DgemmPrior(static_cast<int>(size.n), static_cast<int>(size.p), model.X().data(), parameters.phi.data(),
                    factor.K.data(), factor.L.data());
}

void time_dgemm_prior(benchmark::State& state, Size size) {
  DgemmPrior prior = make_dgemm_prior(size);
  if (const double known = log_reference_prior(size); !(std::abs(prior.log_density() - known) < 1e-6)) {
    std::fprintf(stderr, "wrong prior by DGEMM: %.15g, not %.15g\n", prior.log_density(), known);
    std::exit(1);
  }
  for (auto _ : state) {
    const double log_density = prior.log_density();
    benchmark::DoNotOptimize(log_density);
  }
  describe(state, size, 1);
}

void time_peak(benchmark::State& state, const RegisterSet& set) {
  constexpr std::int64_t kRounds = 100000;
  double flops = 0.0;
  for (auto _ : state) flops = run_multiply_adds(set, kRounds);
  state.counters["flops"] = Counter(flops, Counter::kIsIterationInvariantRate);
}

std::string size_name(Size size) {
  return "n:" + std::to_string(size.n) + "/p:" + std::to_string(size.p);
}

void add_energy(const std::string& family, Size size, const ModelChoice& choice, bool single) {
  const std::string name = family + '/' + choice.prior + '/' + choice.correlation + '/' + choice.trend + '/' +
                           size_name(size) + (single ? "/single" : "/block");
  benchmark::RegisterBenchmark(name.c_str(), time_energy, size, choice, single)->Unit(benchmark::kMicrosecond);
}

void add_both(Size size, const ModelChoice& choice) {
  add_energy("H", size, choice, true);
  add_energy("H", size, choice, false);
}

void add_energies() {
  for (const std::string& correlation : covariance_examples()) {
    for (const Size size : kSizes) {
      add_both(size, {correlation, "none", "log-uniform"});
      add_energy("H", size, {correlation, "none", "reference"}, false);
    }
    for (const char* trend : {"constant", "linear"}) {
      add_both({100, 10}, {correlation, trend, "log-uniform"});
      add_energy("H", {100, 10}, {correlation, trend, "reference"}, false);
    }
  }
}

// To be compared with H at the same size and correlation.
void add_gradients() {
  for (const std::string& correlation : covariance_examples()) {
    for (const Size size : {Size{20, 2}, Size{100, 10}}) {
      const std::string name = "gradient/log-uniform/" + correlation + "/none/" + size_name(size);
      benchmark::RegisterBenchmark(name.c_str(), time_gradient, size, ModelChoice{correlation, "none", "log-uniform"})
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

void add_growth() {
  for (const Index n : {20, 30, 50, 70, 100, 140, 200, 300, 400, 500, 700, 1000}) {
    add_energy("growth-n", {n, 10}, {}, false);
  }
  for (const Index n : {100, 300}) {
    for (const Index p : {1, 2, 3, 5, 8, 10, 12, 16, 20}) add_energy("growth-p", {n, p}, {}, false);
  }
}

void add_all() {
  for (const RegisterSet& set : register_sets()) {
    benchmark::RegisterBenchmark(("peak/" + set.name).c_str(), time_peak, set)->Unit(benchmark::kMicrosecond);
  }
  for (const Size size : kSizes) {
    benchmark::RegisterBenchmark(("dgemm-prior/" + size_name(size)).c_str(), time_dgemm_prior, size)
        ->Unit(benchmark::kMicrosecond);
  }
  add_energies();
  add_gradients();
  add_growth();
}

}  // namespace

// How H is evaluated here; tables quote it.
void describe_path() {
  benchmark::AddCustomContext("path", instruction_set_name(best_instruction_set()));
  benchmark::AddCustomContext("lanes", std::to_string(make_target(make_runs(20, 2), {}).lanes()));
}

}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  ta2s2::bench::add_all();
  ta2s2::bench::describe_path();
  benchmark::RunSpecifiedBenchmarks();
}
