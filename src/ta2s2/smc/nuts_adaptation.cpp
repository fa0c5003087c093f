#include "ta2s2/smc/nuts_adaptation.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/linalg/weighted_covariance.hpp"

namespace ta2s2 {
namespace {

// Hoffman and Gelman's gamma, t_0 and kappa, and the factor by which the first step is tried longer.
constexpr double kShrinkage = 0.05, kStabiliser = 10.0, kForgetting = 0.75, kEagerness = 10.0;

// Stan's windows: transitions before the first, in the first, and after the last.
constexpr Index kBefore = 75, kFirst = 25, kAfter = 50;

}  // namespace

DualAveraging::DualAveraging(double first_step, double wanted_acceptance)
    : wanted_(wanted_acceptance), shrink_towards_(std::log(kEagerness * first_step)), log_step_(std::log(first_step)) {}

void DualAveraging::learn(double acceptance) {
  count_ += 1.0;
  const double share = 1.0 / (count_ + kStabiliser);
  mean_shortfall_ += share * (wanted_ - acceptance - mean_shortfall_);
  log_step_ = shrink_towards_ - std::sqrt(count_) / kShrinkage * mean_shortfall_;
  log_averaged_ += std::pow(count_, -kForgetting) * (log_step_ - log_averaged_);
}

double DualAveraging::step() const {
  return std::exp(log_step_);
}

double DualAveraging::averaged_step() const {
  return std::exp(count_ > 0.0 ? log_averaged_ : log_step_);
}

WarmupWindows warmup_windows(Index num_warmup) {
  Index before = kBefore, length = kFirst, after = kAfter;
  if (before + length + after > num_warmup) {  // 15%, 75% and 10% of what there is
    before = 15 * num_warmup / 100;
    after = num_warmup / 10;
    length = num_warmup - before - after;
  }
  WarmupWindows windows{before, {}};
  const Index last = num_warmup - after;
  for (Index end = before + length; end <= last && length > 0; end += length) {
    length *= 2;
    const bool no_room_for_next = end + length > last;
    windows.ends.push_back(no_room_for_next ? last : end);
    if (no_room_for_next) break;
  }
  return windows;
}

Matrix metric_factor(MatrixView states, Metric metric) {
  constexpr double kPriorStates = 5.0, kPriorVariance = 1e-3;  // Stan's
  const auto n = static_cast<double>(states.cols());
  Matrix covariance = weighted_moments(states, Vector::Constant(states.cols(), 1.0 / n)).covariance;
  if (metric == Metric::diagonal) covariance = Matrix(covariance.diagonal().asDiagonal());
  covariance *= n / (n + kPriorStates);
  covariance.diagonal().array() += kPriorVariance * kPriorStates / (n + kPriorStates);
  return regularised_factor(covariance);
}

double reasonable_step(Hamiltonian& hamiltonian, const PhasePoint& state, double step, Stream& stream) {
  constexpr double kWanted = 0.8, kSmallest = 1e-10, kLargest = 1e7;
  int direction = 0;
  for (;;) {
    PhasePoint point = state;
    hamiltonian.draw_momentum(point, stream);
    const double before = hamiltonian.total(point);
    hamiltonian.leapfrog(point, step);
    const bool accepted = before - hamiltonian.total(point) > std::log(kWanted);  // false for what is no number
    if (direction == 0) direction = accepted ? 1 : -1;
    if (accepted != (direction > 0)) return step;
    step *= direction > 0 ? 2.0 : 0.5;
    if (step < kSmallest || step > kLargest) return std::clamp(step, kSmallest, kLargest);
  }
}

}  // namespace ta2s2
