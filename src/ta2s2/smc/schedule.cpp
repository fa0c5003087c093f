#include "ta2s2/smc/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/base/types.hpp"

namespace ta2s2 {

namespace {

// E1 of the points that have a density.
Vector tempered_energies(std::span<const Energy> energies) {
  std::vector<double> tempered;
  tempered.reserve(energies.size());
  for (const Energy& energy : energies) {
    if (energy.possible()) tempered.push_back(energy.tempered);
  }
  return Eigen::Map<const Vector>(tempered.data(), static_cast<Index>(tempered.size()));
}

// ESS of the weights exp(-step E1), as LogWeights has it, but nothing else: the search asks for it dozens of times.
double effective_sample_size(const Vector& tempered, double step, Vector& scratch) {
  scratch = (step * (tempered.minCoeff() - tempered.array())).exp();
  return std::pow(scratch.sum(), 2) / scratch.squaredNorm();
}

}  // namespace

double EssSchedule::next(std::span<const Energy> energies, double beta, double last) const {
  const Vector tempered = tempered_energies(energies);
  Vector scratch(tempered.size());
  const double wanted = ess_target_ * static_cast<double>(tempered.size());
  const auto keeps_enough = [&](double candidate) {
    return effective_sample_size(tempered, candidate - beta, scratch) >= wanted;
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
