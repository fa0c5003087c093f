#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace ta2s2::cli {
namespace {

bool wants_lines(const ConsoleOptions& options) {
  if (options.quiet || options.progress == Progress::none) return false;
  return options.progress == Progress::plain || isatty(STDERR_FILENO) != 0;
}

// https://no-color.org: any non-empty value means no colour.
bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
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

// Temperatures fall by a steady factor once a run is under way, and a level takes as long as the one before.
std::string what_is_left(const LevelSummary& report, double last_beta) {
  if (report.levels_left.value_or(report.beta < 1.0 ? 1 : 0) == 0) return "done";
  if (!report.levels_left && (last_beta <= 0.0 || report.beta <= last_beta)) return "";
  const double levels = report.levels_left
                            ? static_cast<double>(*report.levels_left)
                            : std::max(1.0, std::ceil(-std::log(report.beta) / std::log(report.beta / last_beta)));
  return "about " + std::to_string(static_cast<long>(levels)) + (levels > 1.0 ? " levels, " : " level, ") +
         rounded_time(levels * report.seconds) + " left";
}

StopFlag stop_flag{false};

std::atomic<int> num_interrupts{0};
static_assert(StopFlag::is_always_lock_free && std::atomic<int>::is_always_lock_free, "set in a signal handler");

extern "C" void raise_stop_flag(int signal) {
  stop_flag = true;
  if (signal == SIGINT && num_interrupts.fetch_add(1) > 0) std::_Exit(128 + signal);
}

}  // namespace

void print_notices(const std::vector<std::string>& notices, const ConsoleOptions& options) {
  if (options.quiet) return;
  for (const std::string& notice : notices) std::fprintf(stderr, "note: %s\n", notice.c_str());
}

CountProgress::CountProgress(std::string what, Index all, const ConsoleOptions& options)
    : what_(std::move(what)), all_(all), is_on_(wants_lines(options)) {}

void CountProgress::on_count(Index done) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_on_ || now - last_ < std::chrono::seconds(1)) return;
  last_ = now;
  std::fprintf(stderr, "%lld of %lld %s\n", static_cast<long long>(done), static_cast<long long>(all_), what_.c_str());
}

ConsoleObserver::ConsoleObserver(const ConsoleOptions& options)
    : is_on_(wants_lines(options)), has_colour_(wants_colour()) {}

Observer::Verdict ConsoleObserver::on_level(const LevelSummary& report) {
  double& last_beta = last_betas_[report.run];
  if (is_on_) {
    const char* dim = has_colour_ ? "\033[2m" : "";
    const char* plain = has_colour_ ? "\033[0m" : "";
    std::fprintf(
        stderr,
        "%s%slevel %2lld  temperature %-10.4g ESS %6.0f  acceptance %4.2f  evaluations %7lld  %6.2f s  %s%s%s\n",
        report.run.c_str(), report.run.empty() ? "" : ": ", static_cast<long long>(report.level),
        report.beta > 0.0 ? 1.0 / report.beta : HUGE_VAL, report.effective_sample_size, report.acceptance(),
        static_cast<long long>(report.evaluations), report.seconds, dim, what_is_left(report, last_beta).c_str(),
        plain);
  }
  last_beta = report.beta;
  return Verdict::go_on;
}

const StopFlag& stop_on_signals() {
  std::signal(SIGINT, raise_stop_flag);
  std::signal(SIGTERM, raise_stop_flag);
  std::signal(SIGUSR1, raise_stop_flag);
  return stop_flag;
}

TimeLimit::TimeLimit(double seconds, const ConsoleOptions& options) {
  if (std::isinf(seconds)) return;
  timer_ = std::jthread([seconds, options](const std::stop_token& ended) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wake;
    wake.wait_for(lock, ended, std::chrono::duration<double>(seconds), [] { return false; });
    if (ended.stop_requested()) return;
    print_notices({"the time limit of " + rounded_time(seconds) + " is reached"}, options);
    stop_flag = true;
  });
}

}  // namespace ta2s2::cli
