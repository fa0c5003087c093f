// Threads of this process, and the order in which every executor takes tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2::detail {

// They wait for work between one piece of it and the next: a search asks for little work hundreds of times.
class ThreadTeam {
 public:
  using Work = std::function<void(int worker)>;

  // Beside the caller's thread, which is worker 0.
  explicit ThreadTeam(int num_helpers);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  // work(0) here, and work(1), work(2), ... on those helpers that come before it is done; returns when all have that
  // began. So work must be such that any of the calls does all that the others leave. A helper that the system lets
  // wait, on a machine with more to do than cores, keeps nobody waiting. Work must not throw. One caller at a time.
  void run(const Work& work);

  // work(0), ..., work(count - 1), each on the thread that is free for it. These may throw: the error of the lowest
  // index is thrown here.
  void for_each(Index count, const std::function<void(Index)>& work);

 private:
  void help(int worker);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const Work* work_ = nullptr;       // while helpers may still begin it
  std::atomic<long> num_begun_ = 0;  // pieces of work so far
  std::atomic<int> num_busy_ = 0;    // helpers at the present one
  std::atomic<bool> is_over_ = false;
  std::vector<std::jthread> helpers_;
};

struct FinishedTurn {
  std::size_t turn = 0;
  Payload result = {};
  std::exception_ptr error = nullptr;
  bool was_skipped = false;
};

// Threads that take turns from a queue, so that the thread that gave them can look after other things.
class WorkerPool {
 public:
  using Work = std::function<Payload(std::size_t turn, int worker)>;

  // A turn that is taken while `is_stopped` holds is skipped.
  WorkerPool(int num_threads, Work work, std::function<bool()> is_stopped);
  ~WorkerPool();  // waits for the turns under way, forgets those that nobody has taken

  void give(std::size_t turn);

  // What has been finished since the last call; waits a while for the first.
  std::vector<FinishedTurn> collect(std::chrono::microseconds longest_wait);

 private:
  void take_turns(int worker);
  FinishedTurn do_turn(std::size_t turn, int worker) const;

  Work work_;
  std::function<bool()> is_stopped_;
  std::mutex mutex_;
  std::condition_variable has_turn_, has_finished_;
  std::deque<std::size_t> queue_;
  std::vector<FinishedTurn> finished_;
  bool is_closed_ = false;
  std::vector<std::jthread> threads_;  // the last member: it ends first
};

inline std::vector<Index> costliest_first(std::span<const double> costs) {
  std::vector<Index> order(costs.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return costs[static_cast<std::size_t>(a)] > costs[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace ta2s2::detail
