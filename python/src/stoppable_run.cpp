#include "stoppable_run.hpp"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace ta2s2::python {
namespace {

namespace nb = nanobind;

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

void run_stoppably(const std::function<void(const StopFlag&)>& work, const std::function<Tick()>& tick) {
  Worker worker(work);
  while (!worker.has_ended_within(kBetweenLooks)) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (tick() == Tick::stop) worker.stop();
  }
  worker.throw_if_failed();
  tick();
}

}  // namespace ta2s2::python
