// Tasks on the threads of this process.
#pragma once

#include "ta2s2/exec/executor.hpp"

namespace ta2s2 {

class ThreadExecutor final : public Executor {
 public:
  // num_threads = 0 takes as many as this process may run on.
  explicit ThreadExecutor(int num_threads, const StopFlag* stop = nullptr);

  int num_workers() const override { return num_threads_; }
  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override;

 private:
  int num_threads_;
};

}  // namespace ta2s2
