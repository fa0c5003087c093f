// Tasks on the threads of several processes, each of which runs the same program (exec/ranks.hpp).
//
// Rank 0 hands tasks out one by one, so that ranks that are done sooner get more of them; every rank gets all results.
// Threads compute; the calling thread alone speaks with other ranks, and sleeps meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/exec/ranks.hpp"

namespace ta2s2 {
namespace detail {
class ThreadTeam;
}

class DistributedExecutor final : public Executor {
 public:
  // Made by all ranks together. num_threads are this rank's own; 0 takes its share of the cores that it may run on.
  DistributedExecutor(Ranks& ranks, int num_threads, const StopFlag* stop = nullptr);
  ~DistributedExecutor() override;

  int num_workers() const override;
  using Executor::map;
  // A stop on any rank ends the map on all of them. Another exception than Error is thrown as a std::runtime_error
  // with the same text.
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override;
  // On this rank's threads.
  void for_each_here(Index count, const std::function<void(Index)>& work) override;
  Payload agree(Payload payload) override;
  bool is_first() const override { return ranks_.is_first(); }

  // What the ranks have agreed on, not what this one's flag says.
  bool stop_requested() const override { return is_stopped_.load(std::memory_order_relaxed); }

 private:
  Ranks& ranks_;
  std::vector<int> threads_of_ranks_;
  std::atomic<bool> is_stopped_{false};
  std::uint64_t num_maps_ = 0;
  std::vector<Message> early_;                // for maps that this rank has not come to
  std::unique_ptr<detail::ThreadTeam> team_;  // made when it is first needed; for work between maps
};

}  // namespace ta2s2
