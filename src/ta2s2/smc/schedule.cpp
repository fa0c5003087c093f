#include "ta2s2/smc/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

LogWeights::LogWeights(std::vector<double> log_weights)
    : log_weights_(std::move(log_weights)), normalised_(Vector::Zero(size())), log_mean_(-kInfinity) {
  const Eigen::Map<const Vector> values(log_weights_.data(), size());
  const double largest = values.maxCoeff();
  if (!std::isfinite(largest)) return;
  // std::exp: Eigen's vectorised exp of -inf is 6e-309, and an impossible point must weigh nothing.
  for (Index i = 0; i < size(); ++i) normalised_[i] = std::exp(values[i] - largest);
  const double sum = normalised_.sum();
  normalised_ /= sum;
  log_mean_ = largest + std::log(sum / static_cast<double>(size()));
  effective_sample_size_ = 1.0 / normalised_.squaredNorm();
}

LogWeights reweight(std::span<const Energy> energies, double beta_step) {
  std::vector<double> log_weights;
  log_weights.reserve(energies.size());
  for (const Energy& energy : energies) {
    log_weights.push_back(energy.possible() ? -beta_step * energy.tempered : -kInfinity);
  }
  return LogWeights(std::move(log_weights));
}

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
  const auto spare = [&](double candidate) {
    return effective_sample_size(tempered, candidate - beta, scratch) - wanted;
  };
  if (std::isfinite(last) && spare(last) >= 0.0) return last;

  // Bracket from below: the step grows until it costs too much, so an early beta of 1e-9 is found as easily as 0.5.
  constexpr double kGrowth = 8.0;
  double low = beta, spare_low = static_cast<double>(tempered.size()) - wanted;
  double step = std::max(beta, 1e-12);
  double spare_high = spare(beta + step);
  for (; spare_high >= 0.0; spare_high = spare(beta + step)) {
    low = beta + step;
    spare_low = spare_high;
    step *= kGrowth;
    if (!std::isfinite(step)) return low;
  }
  double high = beta + step;
  if (high > last) {
    high = last;
    spare_high = spare(last);
  }
  // Regula falsi with the Illinois rule: an end that stays where it is counts half the next time; so both close in.
  constexpr int kMostSteps = 100;
  enum class End { none, lower, upper } kept = End::none;
  for (int i = 0; i < kMostSteps && high - low > 1e-10 * high; ++i) {
    const double middle = low + (high - low) * spare_low / (spare_low - spare_high);
    const double found = spare(middle);
    if (found >= 0.0) {
      low = middle;
      if (found < 1e-10 * wanted) break;
      spare_low = found;
      if (kept == End::upper) spare_high *= 0.5;
      kept = End::upper;
    } else {
      high = middle;
      spare_high = found;
      if (kept == End::lower) spare_low *= 0.5;
      kept = End::lower;
    }
  }
  // `high` is above beta even when `low` is not, so a level always makes progress.
  return low > beta ? low : high;
}

}  // namespace ta2s2
