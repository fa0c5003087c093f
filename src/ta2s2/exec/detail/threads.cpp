#include "ta2s2/exec/detail/threads.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace ta2s2::detail {
namespace {

// A thread that sleeps takes as long to wake as a small piece of work takes: it looks a while before it sleeps, and
// leaves its core to anyone else who wants it.
template <class Condition>
void look_for(const Condition& condition) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{100};
  for (const auto end = Clock::now() + kLongest; !condition() && Clock::now() < end;) std::this_thread::yield();
}

}  // namespace

ThreadTeam::ThreadTeam(int num_helpers) {
  for (int worker = 1; worker <= num_helpers; ++worker) helpers_.emplace_back([this, worker] { help(worker); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  begun_.notify_all();
  helpers_.clear();
}

void ThreadTeam::run(const Work& work) {
  if (helpers_.empty()) return work(0);
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    ++num_begun_;
  }
  begun_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  work_ = nullptr;
  lock.unlock();
  const auto all_ended = [this] { return num_busy_ == 0; };
  look_for(all_ended);
  lock.lock();
  ended_.wait(lock, all_ended);
}

void ThreadTeam::for_each(Index count, const std::function<void(Index)>& work) {
  std::atomic<Index> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const auto take_turns = [&](int) {
    for (Index i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        work(i);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
      }
    }
  };
  if (count > 1) {
    run(take_turns);
  } else {
    take_turns(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

void ThreadTeam::help(int worker) {
  for (long num_seen = 0;;) {
    const auto has_begun = [&] { return is_over_ || num_begun_ > num_seen; };
    look_for(has_begun);
    std::unique_lock lock(mutex_);
    begun_.wait(lock, has_begun);
    if (is_over_) return;
    num_seen = num_begun_;
    if (work_ == nullptr) continue;
    const Work& work = *work_;
    ++num_busy_;
    lock.unlock();
    work(worker);
    lock.lock();
    if (--num_busy_ == 0) ended_.notify_one();
  }
}

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
