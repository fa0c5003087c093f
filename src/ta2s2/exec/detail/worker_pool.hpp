// Threads that take turns from a queue, so that the thread that gave them can look after other things.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ta2s2/exec/executor.hpp"

namespace ta2s2::detail {

struct FinishedTurn {
  std::size_t turn = 0;
  Payload result = {};
  std::exception_ptr error = nullptr;
  bool was_skipped = false;
};

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

}  // namespace ta2s2::detail
