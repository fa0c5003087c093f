// Tasks on the threads of this process, and how many cores it may count as its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/exec/executor.hpp"

namespace ta2s2 {

namespace detail {
class ThreadTeam;
}

class ThreadExecutor final : public Executor {
 public:
  // num_threads = 0 takes as many as this process may run on.
  explicit ThreadExecutor(int num_threads, const StopFlag* stop = nullptr);
  ~ThreadExecutor() override;

  int num_workers() const override { return num_threads_; }
  using Executor::map;
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override;
  void for_each_here(Index count, const std::function<void(Index)>& work) override;

 private:
  detail::ThreadTeam& team();

  int num_threads_;
  std::unique_ptr<detail::ThreadTeam> team_;  // made when it is first needed; its threads wait between maps
};

// Where a process may run.
struct Seat {
  std::string machine;
  std::vector<int> cores;
};

// Respects taskset, cgroup cpusets and batch systems, which std::thread::hardware_concurrency may not.
Seat own_seat();

// A core that several processes of one machine may run on is divided among them; each process has at least one core.
std::vector<int> core_shares(const std::vector<Seat>& seats);

}  // namespace ta2s2
