#include "ta2s2/exec/detail/thread_team.hpp"

namespace ta2s2::detail {

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
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    ++num_begun_;
    num_busy_ = static_cast<int>(helpers_.size());
  }
  begun_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return num_busy_ == 0; });
}

void ThreadTeam::help(int worker) {
  for (long num_seen = 0;; ++num_seen) {
    std::unique_lock lock(mutex_);
    begun_.wait(lock, [&] { return is_over_ || num_begun_ > num_seen; });
    if (is_over_) return;
    const Work& work = *work_;
    lock.unlock();
    work(worker);
    lock.lock();
    if (--num_busy_ == 0) ended_.notify_one();
  }
}

}  // namespace ta2s2::detail
