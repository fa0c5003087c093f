// An executor that keeps, of every map, when it began and ended and what each task took and returned.
#pragma once

#include <chrono>

#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::bench {

class RecordingExecutor final : public Executor {
 public:
  using Clock = std::chrono::steady_clock;

  struct TaskRecord {
    double cost = 0.0, seconds = 0.0;
    std::size_t num_doubles = 0;  // of its result
  };
  struct MapRecord {
    Clock::time_point begin, end;
    std::vector<TaskRecord> tasks;
  };

  explicit RecordingExecutor(int num_threads) : inner_(num_threads) {}

  int num_workers() const override { return inner_.num_workers(); }
  const std::vector<MapRecord>& maps() const { return maps_; }

  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override {
    MapRecord record{Clock::now(), {}, std::vector<TaskRecord>(costs.size())};
    const Task timed = [&](Index index, int worker) {
      const auto begin = Clock::now();
      Payload payload = task(index, worker);
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      const auto i = static_cast<std::size_t>(index);
      record.tasks[i] = {costs[i], seconds, payload.size()};
      return payload;
    };
    auto payloads = inner_.map(costs, timed, arrival);
    record.end = Clock::now();
    maps_.push_back(std::move(record));
    return payloads;
  }

 private:
  ThreadExecutor inner_;
  std::vector<MapRecord> maps_;
};

}  // namespace ta2s2::bench
