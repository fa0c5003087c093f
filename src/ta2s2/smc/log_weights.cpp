#include "ta2s2/smc/log_weights.hpp"

#include <cmath>

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

}  // namespace ta2s2
