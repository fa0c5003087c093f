// How many cores a process may count as its own.
#pragma once

#include <string>
#include <vector>

namespace ta2s2 {

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
