// Reports of levels on their way from the thread that samples to the one that may call Python.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <vector>

#include "bindings.hpp"
#include "ta2s2/io/summary_json.hpp"
#include "ta2s2/smc/observer.hpp"

namespace ta2s2::python {

class LevelQueue final : public Observer {
 public:
  // `on_level`: None, or a callable that takes a level's report.
  explicit LevelQueue(nb::object on_level) : on_level_(std::move(on_level)) {}

  Verdict on_level(const LevelSummary& report) override {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(report);
    return Verdict::go_on;
  }

  // With the interpreter's lock.
  void hand_over() {
    std::vector<LevelSummary> reports;
    {
      const std::scoped_lock lock(mutex_);
      reports.swap(waiting_);
    }
    if (on_level_.is_none()) return;
    for (const LevelSummary& report : reports) on_level_(from_json(summary_json(report)));
  }

 private:
  nb::object on_level_;
  std::mutex mutex_;
  std::vector<LevelSummary> waiting_;
};

}  // namespace ta2s2::python
