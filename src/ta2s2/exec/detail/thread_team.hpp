// Threads that wait for work between one piece of it and the next: a search asks for little work hundreds of times.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2::detail {

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

}  // namespace ta2s2::detail
