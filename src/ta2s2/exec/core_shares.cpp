#include "ta2s2/exec/core_shares.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

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

}  // namespace ta2s2
