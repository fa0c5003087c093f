#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

namespace ta2s2::cli {
namespace {

// https://no-color.org: any non-empty value means no colour.
bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

// Temperatures fall by a steady factor once a fit is under way, and a level takes as long as the one before.
std::string what_is_left(const LevelSummary& level, double last_beta) {
  if (level.levels_left.value_or(level.beta < 1.0 ? 1 : 0) == 0) return level.stage.empty() ? "done" : "";
  if (!level.levels_left && (last_beta <= 0.0 || level.beta <= last_beta)) return "";
  const double levels = level.levels_left
                            ? static_cast<double>(*level.levels_left)
                            : std::max(1.0, std::ceil(-std::log(level.beta) / std::log(level.beta / last_beta)));
  return "about " + std::to_string(static_cast<long>(levels)) + (levels > 1.0 ? " levels, " : " level, ") +
         rounded_time(levels * level.seconds) + " left";
}

// A line for each level; of other work a line a second, after the first second, or for each model of a comparison.
class ProgressPrinter {
 public:
  void operator()(const Progress& progress) {
    progress.level != nullptr ? print_level(progress) : print_count(progress);
  }

 private:
  void print_level(const Progress& progress) {
    const LevelSummary& level = *progress.level;
    double& last_beta = last_betas_[progress.task];
    const bool has_colour = wants_colour();
    std::fprintf(
        stderr,
        "%s%s%s%slevel %2lld  temperature %-10.4g ESS %6.0f  acceptance %4.2f  evaluations %7lld  %6.2f s  %s%s%s\n",
        progress.task.c_str(), progress.task.empty() ? "" : ": ", level.stage.c_str(), level.stage.empty() ? "" : ", ",
        static_cast<long long>(level.level), level.beta > 0.0 ? 1.0 / level.beta : HUGE_VAL,
        level.effective_sample_size, level.acceptance(), static_cast<long long>(level.evaluations), level.seconds,
        has_colour ? "\033[2m" : "", what_is_left(level, last_beta).c_str(), has_colour ? "\033[0m" : "");
    last_beta = level.beta;
  }

  void print_count(const Progress& progress) {
    const bool is_model = progress.task.rfind("--", 0) == 0;
    const auto now = std::chrono::steady_clock::now();
    if (!is_model && now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    const auto done = static_cast<long long>(progress.done), total = static_cast<long long>(progress.total.value_or(0));
    if (is_model) {
      std::fprintf(stderr, "model %lld of %lld: %s\n", done, total, progress.task.c_str());
    } else {
      std::fprintf(stderr, "%lld of %lld %s\n", done, total, progress.task.c_str());
    }
  }

  std::map<std::string, double> last_betas_;  // by fit
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

StopFlag stop_flag{false};

std::atomic<int> num_interrupts{0};
static_assert(StopFlag::is_always_lock_free && std::atomic<int>::is_always_lock_free, "set in a signal handler");

extern "C" void raise_stop_flag(int signal) {
  stop_flag = true;
  if (signal == SIGINT && num_interrupts.fetch_add(1) > 0) std::_Exit(128 + signal);
}

void print_lines(const char* kind, const std::vector<std::string>& lines, const ConsoleOptions& options) {
  if (options.quiet) return;
  for (const std::string& line : lines) std::fprintf(stderr, "%s: %s\n", kind, line.c_str());
}

}  // namespace

std::filesystem::path module_folder() {
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return program.parent_path() / TA2S2_MODULES_FROM_PROGRAM;
}

std::string rounded_time(double seconds) {
  char text[32];
  if (seconds < 100.0) {
    std::snprintf(text, sizeof text, "%.*f s", seconds < 10.0 ? 1 : 0, seconds);
  } else if (seconds < 6000.0) {
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60.0);
  } else {
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600.0);
  }
  return text;
}

Job& job() {
  static Job job(module_folder());
  return job;
}

bool is_first_rank() {
  return job().is_first();
}

bool wants_lines(const ConsoleOptions& options) {
  if (options.quiet || options.progress == ProgressLines::none) return false;
  return options.progress == ProgressLines::plain || isatty(STDERR_FILENO) != 0;
}

void print_notices(const std::vector<std::string>& notices, const ConsoleOptions& options) {
  print_lines("note", notices, options);
}

void print_warnings(const std::vector<std::string>& warnings, const ConsoleOptions& options) {
  print_lines("warning", warnings, options);
}

const StopFlag& stop_on_signals() {
  std::signal(SIGINT, raise_stop_flag);
  std::signal(SIGTERM, raise_stop_flag);
  std::signal(SIGUSR1, raise_stop_flag);
  return stop_flag;
}

Context make_context(const ConsoleOptions& options, int threads) {
  Context context;
  context.threads = threads;
  context.stop = &stop_on_signals();
  context.job = &job();
  if (wants_lines(options)) {
    context.on_progress = [printer = std::make_shared<ProgressPrinter>()](const Progress& progress) {
      (*printer)(progress);
    };
  }
  return context;
}

}  // namespace ta2s2::cli
