// Long work that Python can interrupt: it runs on a thread of its own without the interpreter's lock, while the calling
// thread looks for signals and hands over progress.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <mutex>
#include <vector>

#include "bindings.hpp"
#include "ta2s2/execution.hpp"

namespace ta2s2::python {

// Levels on their way from the thread that samples to the one that may call Python.
class LevelQueue {
 public:
  // `on_level`: None, or a callable that takes a level's summary.
  explicit LevelQueue(nb::object on_level) : on_level_(std::move(on_level)) {}

  void push(const Progress& progress);
  void hand_over();  // with the interpreter's lock

 private:
  nb::object on_level_;
  std::mutex mutex_;
  std::vector<LevelSummary> waiting_;
};

// Returns when `work` has ended; throws what it threw. The context that `work` gets has so many threads, and is stopped
// by a signal's exception, KeyboardInterrupt as a rule, or by one that `on_level` throws; it is thrown once `work` has
// seen the flag.
void run_stoppably(int threads, const std::function<void(const Context&)>& work,
                   const nb::object& on_level = nb::none());

}  // namespace ta2s2::python
