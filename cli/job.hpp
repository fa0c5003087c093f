// The processes that run this command: one, or those that an MPI launcher started. Rank 0 reads, writes and prints.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/exec/ranks.hpp"

namespace ta2s2::cli {

// Where the program's modules are: beside it, in the build tree as where it is installed.
std::filesystem::path module_folder();

// Before anything else: finds out whether a launcher started several processes, and joins them. In all of them but the
// first, standard output goes nowhere.
void begin_job();

// For a command that all ranks run together: from here on their files are rank 0's, and they use no instruction path
// that one of them lacks.
void share_job();

// Whether this process reads, writes and prints.
bool is_first_rank();

// On the threads of this process, or of all ranks once the job is shared.
std::unique_ptr<Executor> make_executor(int num_threads, const StopFlag* stop);

// Called once by every rank with what became of it; returns what became of the job. Prints rank 0's sentence, or that
// of the rank that failed alone.
int end_job(const Ending& own);

}  // namespace ta2s2::cli
