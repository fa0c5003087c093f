#include "stoppable_run.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace ta2s2::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

class Worker {
 public:
  explicit Worker(const std::function<void(const StopFlag&)>& work) : thread_([this, &work] { run(work); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  // The work may need the lock to end: a log density in Python does.
  ~Worker() {
    stop();
    const nb::gil_scoped_release unlocked;
    thread_.join();
  }

  void stop() { stop_ = true; }

  bool has_ended_within(std::chrono::milliseconds time) {
    const nb::gil_scoped_release unlocked;
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [&] { return has_ended_; });
  }

  void throw_if_failed() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run(const std::function<void(const StopFlag&)>& work) {
    try {
      work(stop_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    ended_.notify_one();
  }

  StopFlag stop_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

void LevelQueue::push(const Progress& progress) {
  if (progress.level == nullptr) return;
  const std::scoped_lock lock(mutex_);
  waiting_.push_back(*progress.level);
}

void LevelQueue::hand_over() {
  std::vector<LevelSummary> levels;
  {
    const std::scoped_lock lock(mutex_);
    levels.swap(waiting_);
  }
  if (on_level_.is_none()) return;
  for (const LevelSummary& level : levels) on_level_(from_json(to_json(level)));
}

void run_stoppably(int threads, const std::function<void(const Context&)>& work, const nb::object& on_level) {
  LevelQueue levels(on_level);
  Context context;
  context.threads = threads;
  context.on_progress = [&](const Progress& progress) { levels.push(progress); };
  const std::function<void(const StopFlag&)> with_flag = [&](const StopFlag& stop) {
    context.stop = &stop;
    work(context);
  };
  Worker worker(with_flag);
  while (!worker.has_ended_within(kBetweenLooks)) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    levels.hand_over();
  }
  worker.throw_if_failed();
  levels.hand_over();
}

}  // namespace ta2s2::python
