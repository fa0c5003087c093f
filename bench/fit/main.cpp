// Where a fit's time goes. usage: bench_fit MODEL THREADS
// Repeats the sampling that a model file records, which one seed makes the same run, with a clock around H and around
// tasks; then the search for modes. Prints wall seconds by part (JSON).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "ta2s2/error.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/predictive/modes.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "timed_executor.hpp"
#include "timed_target.hpp"

namespace ta2s2::bench {
namespace {

template <class Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The account is of the recorded fit only if this run is that run.
void require_same(const MemberRecord& record, const AnnealResult& run) {
  std::int64_t recorded = 0;
  for (const LevelSummary& level : record.levels) recorded += level.evaluations;
  if (run.levels.size() == record.levels.size() && run.evaluations() == recorded &&
      run.levels.back().mean_energy == record.levels.back().mean_energy) {
    return;
  }
  throw Error(ErrorCode::internal, "the timed run is not the recorded one");
}

nlohmann::json sampling_account(const MemberRecord& record, const GpTarget& target, int threads) {
  const TimedTarget timed(target);
  TimedExecutor executor(threads);
  Observer silent;
  AnnealResult run;
  AnnealOptions annealing = record.options.annealing;
  annealing.simd = choose_instruction_set(record.options.simd);
  const double wall = seconds_of([&] { run = anneal(timed, annealing, {executor, silent}); });
  require_same(record, run);
  const double in_tasks = executor.seconds_in_tasks() / threads, in_energies = timed.seconds() / threads;
  return {{"evaluations", timed.evaluations()},
          {"energies", in_energies},
          {"moves", in_tasks - in_energies},
          {"waiting", executor.seconds_in_map() - in_tasks},
          {"planning", wall - executor.seconds_in_map()}};
}

nlohmann::json modes_account(const MemberRecord& record, const GpTarget& target, int threads) {
  const TimedTarget timed(target);
  ThreadExecutor executor(threads);
  const double wall = seconds_of([&] { divide_into_modes(timed, *timed.box(), record.sample, executor); });
  const double in_energies = timed.seconds() / threads;
  return {{"evaluations", timed.evaluations()}, {"energies", in_energies}, {"search", wall - in_energies}};
}

double recorded_sampling_seconds(const MemberRecord& record) {
  double sum = 0.0;
  for (const LevelSummary& level : record.levels) sum += level.seconds;
  return sum;
}

void run(const char* model, int threads) {
  const MemberRecord record = read_models(model).outputs.at(0).members.at(0);
  const GpTarget target = make_target(record.data, record.scaling, record.options);
  const nlohmann::json account{{"lanes", target.lanes()},
                               {"sampling", sampling_account(record, target, threads)},
                               {"modes", modes_account(record, target, threads)},
                               {"recorded_sampling_seconds", recorded_sampling_seconds(record)}};
  std::printf("%s\n", account.dump().c_str());
}

}  // namespace
}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: bench_fit MODEL THREADS\n");
    return 2;
  }
  try {
    ta2s2::bench::run(argv[1], std::atoi(argv[2]));
  } catch (const ta2s2::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
