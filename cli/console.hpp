// What the program says while it works: progress and notices on stderr, never on stdout.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "job.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/smc/observer.hpp"

namespace ta2s2::cli {

enum class Progress { automatic, plain, none };

struct ConsoleOptions {
  Progress progress = Progress::automatic;
  bool quiet = !is_first_rank();
};

// Prints each sentence once, unless quiet.
void print_notices(const std::vector<std::string>& notices, const ConsoleOptions& options);

// A line per level, if stderr is a terminal or progress is plain.
class ConsoleObserver final : public Observer {
 public:
  explicit ConsoleObserver(const ConsoleOptions& options);
  Verdict on_level(const LevelSummary& report) override;

 private:
  bool is_on_;
  bool has_colour_;
  std::map<std::string, double> last_betas_;  // by run
};

// How many of so many are done: a line a second after the first second, if lines are wanted.
class CountProgress {
 public:
  CountProgress(std::string what, Index all, const ConsoleOptions& options);
  void on_count(Index done);

 private:
  std::string what_;
  Index all_;
  bool is_on_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// SIGINT, SIGTERM and SIGUSR1 raise the flag; a second SIGINT ends the program at once.
const StopFlag& stop_on_signals();

// Raises the same flag after some seconds, with a note. Infinitely many are no limit.
class TimeLimit {
 public:
  TimeLimit(double seconds, const ConsoleOptions& options);

 private:
  std::jthread timer_;
};

}  // namespace ta2s2::cli
