// What a fit asks of its executor. usage: bench_scaling MODEL THREADS
// Repeats the fit that a model file records, from the runs to the written model, and prints (JSON) of every map the
// seconds since the one before, which are one thread's work, and of every task its cost, seconds and doubles returned.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "recording_executor.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/workflow/fit.hpp"

namespace ta2s2::bench {
namespace {

double seconds_between(RecordingExecutor::Clock::time_point begin, RecordingExecutor::Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

nlohmann::json tasks_of(const RecordingExecutor::MapRecord& map) {
  nlohmann::json tasks = nlohmann::json::array();
  for (const auto& task : map.tasks) tasks.push_back({task.cost, task.seconds, task.num_doubles});
  return tasks;
}

void run(const char* model, int threads) {
  const MemberRecord record = read_models(model).outputs.at(0).members.at(0);
  RecordingExecutor executor(threads);
  Observer silent;
  const auto begin = RecordingExecutor::Clock::now();
  const MemberRecord repeated = fit(record.data, ValidFitOptions(record.options), {}, {executor, silent});
  std::ostringstream written;
  write_model(written, {{single_member(repeated)}});
  const auto end = RecordingExecutor::Clock::now();
  if (repeated.sample.energies != record.sample.energies) {
    throw Error(ErrorCode::internal, "the timed run is not the recorded one");
  }
  nlohmann::json maps = nlohmann::json::array();
  auto last = begin;
  for (const auto& map : executor.maps()) {
    maps.push_back({{"serial_before", seconds_between(last, map.begin)}, {"tasks", tasks_of(map)}});
    last = map.end;
  }
  const nlohmann::json account{
      {"seconds", seconds_between(begin, end)}, {"maps", maps}, {"serial_after", seconds_between(last, end)}};
  std::printf("%s\n", account.dump().c_str());
}

}  // namespace
}  // namespace ta2s2::bench

int main(int argc, char** argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: bench_scaling MODEL THREADS\n");
    return 2;
  }
  try {
    ta2s2::bench::run(argv[1], std::atoi(argv[2]));
  } catch (const ta2s2::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
