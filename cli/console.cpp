#include "console.hpp"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

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

// Temperatures fall by a steady factor once a run is under way.
std::string levels_left(double beta, double last_beta) {
  if (beta >= 1.0) return "done";
  if (last_beta <= 0.0 || beta <= last_beta) return "";
  const double left = std::ceil(-std::log(beta) / std::log(beta / last_beta));
  return left <= 1.0 ? "about 1 level left" : "about " + std::to_string(static_cast<long>(left)) + " levels left";
}

StopFlag stop_flag{false};

extern "C" void raise_stop_flag(int signal) {
  if (stop_flag.exchange(true)) std::_Exit(128 + signal);
}

}  // namespace

void print_notices(const std::vector<std::string>& notices, const ConsoleOptions& options) {
  if (options.quiet) return;
  for (const std::string& notice : notices) std::fprintf(stderr, "note: %s\n", notice.c_str());
}

ConsoleObserver::ConsoleObserver(const ConsoleOptions& options)
    : is_on_(wants_lines(options)), has_colour_(wants_colour()) {}

Observer::Verdict ConsoleObserver::on_level(const LevelReport& report) {
  if (is_on_) {
    const char* dim = has_colour_ ? "\033[2m" : "";
    const char* plain = has_colour_ ? "\033[0m" : "";
    std::fprintf(stderr,
                 "level %2lld  temperature %-10.4g ESS %6.0f  acceptance %4.2f  evaluations %7lld  %6.2f s  %s%s%s\n",
                 static_cast<long long>(report.level), report.beta > 0.0 ? 1.0 / report.beta : HUGE_VAL,
                 report.effective_sample_size, report.acceptance(), static_cast<long long>(report.evaluations),
                 report.seconds, dim, levels_left(report.beta, last_beta_).c_str(), plain);
  }
  last_beta_ = report.beta;
  return Verdict::go_on;
}

const StopFlag& stop_on_signals() {
  std::signal(SIGINT, raise_stop_flag);
  std::signal(SIGTERM, raise_stop_flag);
  return stop_flag;
}

}  // namespace ta2s2::cli
