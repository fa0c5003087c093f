#include "ta2s2/exec/thread_executor.hpp"

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "ta2s2/exec/detail/threads.hpp"

namespace ta2s2 {

Seat own_seat() {
  Seat seat;
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) == 0) seat.machine = name;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &allowed)) seat.cores.push_back(core);
    }
  }
  return seat;
}

std::vector<int> core_shares(const std::vector<Seat>& seats) {
  std::map<std::pair<std::string, int>, int> num_sharing;
  for (const Seat& seat : seats) {
    for (const int core : seat.cores) ++num_sharing[{seat.machine, core}];
  }
  std::vector<int> shares;
  for (const Seat& seat : seats) {
    double cores = 0.0;
    for (const int core : seat.cores) cores += 1.0 / num_sharing[{seat.machine, core}];
    constexpr double kRounding = 1e-6;  // a third and a third and a third are a core
    shares.push_back(std::max(1, static_cast<int>(cores + kRounding)));
  }
  return shares;
}

ThreadExecutor::ThreadExecutor(int num_threads, const StopFlag* stop)
    : Executor(stop), num_threads_(num_threads > 0 ? num_threads : core_shares({own_seat()}).front()) {}

ThreadExecutor::~ThreadExecutor() = default;

std::vector<Payload> ThreadExecutor::map(std::span<const double> costs, const Task& task, const Arrival& arrival) {
  const std::vector<Index> order = detail::costliest_first(costs);
  std::vector<Payload> results(order.size());
  std::vector<std::exception_ptr> errors(order.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> first_failed{order.size()};  // a turn: those before it still run
  std::mutex telling;

  const auto work = [&](int worker) {
    for (;;) {
      const std::size_t turn = next.fetch_add(1);
      if (turn >= first_failed.load() || stop_requested()) return;
      const auto index = static_cast<std::size_t>(order[turn]);
      try {
        results[index] = task(order[turn], worker);
        if (arrival == nullptr) continue;
        const std::scoped_lock one_at_a_time(telling);
        arrival(order[turn], results[index]);
      } catch (...) {
        errors[index] = std::current_exception();
        for (std::size_t seen = first_failed.load(); turn < seen && !first_failed.compare_exchange_weak(seen, turn);) {
        }
      }
    }
  };

  if (order.size() <= 1) {
    work(0);
  } else {
    team().run(work);
  }
  if (first_failed.load() < order.size()) std::rethrow_exception(errors[static_cast<std::size_t>(order[first_failed])]);
  throw_if_stopped();
  return results;
}

void ThreadExecutor::for_each_here(Index count, const std::function<void(Index)>& work) {
  team().for_each(count, work);
}

detail::ThreadTeam& ThreadExecutor::team() {
  if (team_ == nullptr) team_ = std::make_unique<detail::ThreadTeam>(num_threads_ - 1);
  return *team_;
}

}  // namespace ta2s2
