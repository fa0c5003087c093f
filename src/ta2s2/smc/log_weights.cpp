#include "ta2s2/smc/log_weights.hpp"

#include <cmath>

namespace ta2s2 {

LogWeights::LogWeights(std::vector<double> log_weights) : log_weights_(std::move(log_weights)) {
  const double log_sum = log_sum_exp(log_weights_);
  normalised_ = Vector::Zero(size());
  log_mean_ = log_sum - std::log(static_cast<double>(size()));
  if (!std::isfinite(log_sum)) return;
  for (Index i = 0; i < size(); ++i) normalised_[i] = std::exp(log_weights_[static_cast<std::size_t>(i)] - log_sum);
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

}  // namespace ta2s2
