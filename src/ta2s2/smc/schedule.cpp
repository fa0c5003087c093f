#include "ta2s2/smc/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/smc/log_weights.hpp"

namespace ta2s2 {

double EssSchedule::next(std::span<const Energy> energies, double beta, double last) const {
  const auto num_possible =
      std::count_if(energies.begin(), energies.end(), [](const Energy& energy) { return energy.possible(); });
  const double wanted = ess_target_ * static_cast<double>(num_possible);
  const auto keeps_enough = [&](double candidate) {
    return reweight(energies, candidate - beta).effective_sample_size() >= wanted;
  };
  if (std::isfinite(last) && keeps_enough(last)) return last;

  // Bracket from below: the step doubles until it costs too much, so an early beta of 1e-9 is found as easily as 0.5.
  double low = beta;
  double step = std::max(beta, 1e-12);
  while (keeps_enough(beta + step)) {
    low = beta + step;
    step *= 2.0;
    if (!std::isfinite(step)) return low;
  }
  double high = std::min(beta + step, last);
  constexpr int kBisections = 60;
  for (int i = 0; i < kBisections && high - low > 1e-10 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (keeps_enough(middle) ? low : high) = middle;
  }
  // `high` is above beta even when `low` is not, so a level always makes progress.
  return low > beta ? low : high;
}

}  // namespace ta2s2
