// Where work runs. A task is named by its index and its result depends on nothing else, so the number of workers and
// the order in which they take tasks change no bit of any result.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "ta2s2/error.hpp"
#include "ta2s2/execution.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// Results and plans cross the seam as plain numbers, which a distributed executor can send as they are.
using Payload = std::vector<double>;

class Executor {
 public:
  using Task = std::function<Payload(Index task, int worker)>;
  using Arrival = std::function<void(Index task, const Payload& result)>;

  explicit Executor(const StopFlag* stop = nullptr) : stop_(stop) {}
  virtual ~Executor() = default;

  virtual int num_workers() const = 0;

  // Runs one task per cost, the costliest first, and returns their results in task order. `worker` is in
  // [0, num_workers()) and no two tasks run on one worker at the same time. If tasks throw, the first error
  // in that order is thrown here, whatever the number of workers, Error as it is, others at least with their text; if a
  // stop is requested, Error{interrupted}.
  // The first process is told of each result as it arrives, in any order but never of two at a time.
  virtual std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) = 0;
  std::vector<Payload> map(std::span<const double> costs, const Task& task) { return map(costs, task, nullptr); }

  // Runs work(0), ..., work(count - 1) on the threads of this process, in any order, and returns when all have ended.
  // For what every process works out alike between maps: nothing crosses the seam, and nothing is recorded. Each call
  // writes a place of its own. If calls throw, the error of the lowest index is thrown here. Never called from a task.
  virtual void for_each_here(Index count, const std::function<void(Index)>& work) {
    for (Index i = 0; i < count; ++i) work(i);
  }

  // Every process continues with the first process's payload; here there is only one.
  virtual Payload agree(Payload payload) { return payload; }

  // Whether this process reads, writes and prints: one of them does.
  virtual bool is_first() const { return true; }

  virtual bool stop_requested() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  void throw_if_stopped() const {
    if (stop_requested()) throw Error(ErrorCode::interrupted, "interrupted; no output was written");
  }

 private:
  const StopFlag* stop_;
};

// The same over stretches [begin, end) of `size` items, the last perhaps shorter: where they begin depends on no number
// of threads. On the calling thread if there is no executor.
template <class Stretch>
void for_each_stretch(Executor* executor, Index count, Index size, const Stretch& work) {
  const auto one = [&](Index i) { work(i * size, std::min((i + 1) * size, count)); };
  const Index num_stretches = (count + size - 1) / size;
  if (executor != nullptr) return executor->for_each_here(num_stretches, one);
  for (Index i = 0; i < num_stretches; ++i) one(i);
}

}  // namespace ta2s2
