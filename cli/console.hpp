// What the program says while it works, and what it works with: progress and notices on stderr, never on stdout;
// signals; the ranks of its job.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ta2s2/execution.hpp"

namespace ta2s2::cli {

// This process, or those that an MPI launcher started; joined when it is first asked for.
Job& job();
// Whether this process reads, writes and prints.
bool is_first_rank();
// Where the program's modules are: beside it, in the build tree as where it is installed.
std::filesystem::path module_folder();

enum class ProgressLines { automatic, plain, none };

struct ConsoleOptions {
  ProgressLines progress = ProgressLines::automatic;
  bool quiet = !is_first_rank();
};

// Whether progress is told: always if it is plain, else only on a terminal.
bool wants_lines(const ConsoleOptions& options);

// Unless quiet.
void print_notices(const std::vector<std::string>& notices, const ConsoleOptions& options);
void print_warnings(const std::vector<std::string>& warnings, const ConsoleOptions& options);

// SIGINT, SIGTERM and SIGUSR1 raise the flag; a second SIGINT ends the program at once.
const StopFlag& stop_on_signals();

// So many threads of this job, ended by signals, with a line for each level and now and then for other work.
Context make_context(const ConsoleOptions& options, int threads = 0);

}  // namespace ta2s2::cli
