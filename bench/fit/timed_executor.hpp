// An executor that counts what its tasks take: wall time of the parallel parts, and seconds inside tasks over all
// workers.
#pragma once

#include <atomic>
#include <chrono>

#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::bench {

class TimedExecutor final : public Executor {
 public:
  explicit TimedExecutor(int num_threads) : inner_(num_threads) {}

  int num_workers() const override { return inner_.num_workers(); }

  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override {
    const auto begin = Clock::now();
    const Task timed = [&](Index index, int worker) {
      const auto task_begin = Clock::now();
      Payload payload = task(index, worker);
      in_tasks_ += nanoseconds_since(task_begin);
      return payload;
    };
    auto payloads = inner_.map(costs, timed, arrival);
    in_map_ += nanoseconds_since(begin);
    return payloads;
  }

  // Of planning, as in the program: on all threads, and no task.
  void for_each_here(Index count, const std::function<void(Index)>& work) override {
    inner_.for_each_here(count, work);
  }

  double seconds_in_map() const { return 1e-9 * static_cast<double>(in_map_); }
  double seconds_in_tasks() const { return 1e-9 * static_cast<double>(in_tasks_.load()); }

 private:
  using Clock = std::chrono::steady_clock;

  static std::int64_t nanoseconds_since(Clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  }

  ThreadExecutor inner_;
  std::int64_t in_map_ = 0;
  std::atomic<std::int64_t> in_tasks_{0};
};

}  // namespace ta2s2::bench
