#include "ta2s2/api/workers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/distributed_executor.hpp"
#include "ta2s2/exec/launcher.hpp"
#include "ta2s2/exec/ranks.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// ---- one process or several ----

struct Job::State {
  std::unique_ptr<Transport> transport;  // null in a process of its own
  std::unique_ptr<Ranks> ranks;
  bool is_shared = false;
  bool is_first = true;
  std::exception_ptr failure;  // to join the other processes
};

namespace {

void silence_standard_output() {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

void keep_common_instruction_sets(Ranks& ranks) {
  std::vector<std::string> names;
  for (const InstructionSet set : supported_instruction_sets()) names.push_back(instruction_set_name(set));
  std::vector<InstructionSet> kept;
  for (const std::string& name : ranks.in_common(names)) kept.push_back(choose_instruction_set(name));
  keep_instruction_sets(kept);
}

Ending ending_of(const std::function<void()>& work) {
  try {
    work();
    return {0};
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  } catch (const JobEnded&) {
    return {static_cast<int>(ErrorCode::interrupted), "ended with the job"};
  } catch (const std::exception& error) {
    return {static_cast<int>(ErrorCode::internal),
            std::string("internal error: ") + error.what() + "\nPlease report it, with the command and the data."};
  }
}

void print_error(const std::string& sentence) {
  std::fprintf(stderr, "ta2s2: %s\n", sentence.c_str());
}

}  // namespace

Job::Job(const std::filesystem::path& modules) : state_(std::make_unique<State>()) {
  const std::optional<Launcher> launcher = find_launcher([](const char* name) { return std::getenv(name); });
  if (!launcher) return;
  state_->is_first = launcher->is_first_rank;
  try {
    state_->transport = load_transport(*launcher, modules);
    state_->is_first = state_->transport->rank() == 0;
    state_->ranks = std::make_unique<Ranks>(*state_->transport);
  } catch (const Error&) {
    state_->failure = std::current_exception();
  }
  if (!state_->is_first) silence_standard_output();
}

Job::~Job() = default;

bool Job::is_first() const {
  return state_->is_first;
}

void Job::share() {
  if (!state_->ranks) return;
  state_->is_shared = true;
  open_files_with([this](const std::filesystem::path& path) { return open_shared_file(*state_->ranks, path); });
  keep_common_instruction_sets(*state_->ranks);
}

int Job::run(const std::function<void()>& work) {
  const Ending own = ending_of([&] {
    if (state_->failure) std::rethrow_exception(state_->failure);
    work();
  });
  if (own.code != 0 && is_first()) print_error(own.sentence);
  if (!state_->ranks) return own.code;
  const Ending ending = state_->ranks->end(own);
  if (own.code == 0 && ending.code != 0 && is_first()) print_error(ending.sentence);
  return ending.code;
}

// ---- threads ----

int threads_in_use(int threads) {
  return ThreadExecutor(threads).num_workers();
}

namespace {

std::unique_ptr<Executor> make_executor(const Context& context, const StopFlag* stop) {
  if (context.job == nullptr || !context.job->state().is_shared) {
    return std::make_unique<ThreadExecutor>(context.threads, stop);
  }
  return std::make_unique<DistributedExecutor>(*context.job->state().ranks, context.threads, stop);
}

}  // namespace

Observer::Verdict Workers::Teller::on_level(const LevelSummary& level) {
  if (context_.on_progress) context_.on_progress({level.run, level.level, level.levels_left, &level});
  return Verdict::go_on;
}

Workers::Workers(const Context& context)
    : observer_(context),
      executor_(make_executor(context, std::isinf(context.checkpoint.time_limit) ? context.stop : &stop_)) {
  if (std::isinf(context.checkpoint.time_limit)) return;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(context.checkpoint.time_limit);
  watch_ = std::jthread([this, outer = context.stop, end](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      const bool is_over = std::chrono::steady_clock::now() >= end;
      if (is_over || (outer != nullptr && *outer)) {
        stop_ = true;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
}

}  // namespace ta2s2
