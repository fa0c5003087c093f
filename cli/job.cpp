#include "job.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/distributed_executor.hpp"
#include "ta2s2/exec/launcher.hpp"
#include "ta2s2/exec/shared_files.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2::cli {
namespace {

struct Job {
  std::unique_ptr<Transport> transport;  // null in a process of its own
  std::unique_ptr<Ranks> ranks;
  bool is_shared = false;
  bool is_first = true;
};

Job& job() {
  static Job job;
  return job;
}

void silence_standard_output() {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

void keep_common_paths(Ranks& ranks) {
  std::vector<std::string> names;
  for (const InstructionSet path : supported_instruction_sets()) names.push_back(instruction_set_name(path));
  names = ranks.in_common(names);
  std::vector<InstructionSet> kept;
  for (const std::string& name : names) kept.push_back(choose_instruction_set(name));
  keep_instruction_sets(kept);
}

void print_error(const std::string& sentence) {
  std::fprintf(stderr, "ta2s2: %s\n", sentence.c_str());
}

}  // namespace

std::filesystem::path module_folder() {
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return program.parent_path() / TA2S2_MODULES_FROM_PROGRAM;
}

void begin_job() {
  const std::optional<Launcher> launcher = find_launcher([](const char* name) { return std::getenv(name); });
  if (!launcher) return;
  job().is_first = launcher->is_first_rank;
  job().transport = load_transport(*launcher, module_folder());
  job().is_first = job().transport->rank() == 0;
  job().ranks = std::make_unique<Ranks>(*job().transport);
  if (!job().is_first) silence_standard_output();
}

void share_job() {
  if (!job().ranks) return;
  job().is_shared = true;
  open_files_with([](const std::filesystem::path& path) { return open_shared_file(*job().ranks, path); });
  keep_common_paths(*job().ranks);
}

bool is_first_rank() {
  return job().is_first;
}

std::unique_ptr<Executor> make_executor(int num_threads, const StopFlag* stop) {
  if (!job().is_shared) return std::make_unique<ThreadExecutor>(num_threads, stop);
  return std::make_unique<DistributedExecutor>(*job().ranks, num_threads, stop);
}

int end_job(const Ending& own) {
  if (own.code != 0 && is_first_rank()) print_error(own.sentence);
  if (!job().ranks) return own.code;
  const Ending ending = job().ranks->end(own);
  if (own.code == 0 && ending.code != 0 && is_first_rank()) print_error(ending.sentence);
  return ending.code;
}

}  // namespace ta2s2::cli
