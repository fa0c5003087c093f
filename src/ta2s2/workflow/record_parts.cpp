#include "ta2s2/workflow/record_parts.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace ta2s2 {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

double unit_offset(const GpModel& model, const Scaling& scaling) {
  return static_cast<double>(model.degrees_of_freedom()) * std::log(scaling.output_sd());
}

MapEstimate best_mode(const std::vector<Mode>& modes) {
  MapEstimate best;
  for (const Mode& mode : modes) {
    if (mode.energy < best.energy) best = {mode.position, mode.energy, 0};
  }
  return best;
}

void keep_finite(Evidence& evidence) {
  constexpr double kNone = 1e6;
  for (double& log_evidence : evidence.by_group) {
    log_evidence = std::max(log_evidence, evidence.log_evidence - kNone);
  }
}

}  // namespace ta2s2
