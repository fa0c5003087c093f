#include "ta2s2/exec/detail/worker_pool.hpp"

#include <utility>

namespace ta2s2::detail {

WorkerPool::WorkerPool(int num_threads, Work work, std::function<bool()> is_stopped)
    : work_(std::move(work)), is_stopped_(std::move(is_stopped)) {
  for (int worker = 0; worker < num_threads; ++worker) threads_.emplace_back([this, worker] { take_turns(worker); });
}

WorkerPool::~WorkerPool() {
  const std::scoped_lock lock(mutex_);
  is_closed_ = true;
  has_turn_.notify_all();
}

void WorkerPool::give(std::size_t turn) {
  const std::scoped_lock lock(mutex_);
  queue_.push_back(turn);
  has_turn_.notify_one();
}

std::vector<FinishedTurn> WorkerPool::collect(std::chrono::microseconds longest_wait) {
  std::unique_lock lock(mutex_);
  has_finished_.wait_for(lock, longest_wait, [this] { return !finished_.empty(); });
  return std::exchange(finished_, {});
}

void WorkerPool::take_turns(int worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    has_turn_.wait(lock, [this] { return is_closed_ || !queue_.empty(); });
    if (is_closed_) return;
    const std::size_t turn = queue_.front();
    queue_.pop_front();
    lock.unlock();
    FinishedTurn finished = do_turn(turn, worker);
    lock.lock();
    finished_.push_back(std::move(finished));
    has_finished_.notify_one();
  }
}

FinishedTurn WorkerPool::do_turn(std::size_t turn, int worker) const {
  FinishedTurn finished{turn};
  try {
    finished.was_skipped = is_stopped_();
    if (!finished.was_skipped) finished.result = work_(turn, worker);
  } catch (...) {
    finished.error = std::current_exception();
  }
  return finished;
}

}  // namespace ta2s2::detail
