// The next inverse temperature, and the weights that a change of temperature gives a population.
#pragma once

#include <span>
#include <vector>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

// Unnormalised log weights of a population.
class LogWeights {
 public:
  explicit LogWeights(std::vector<double> log_weights);

  Index size() const { return static_cast<Index>(log_weights_.size()); }
  const std::vector<double>& values() const { return log_weights_; }

  // (4.7); sums to one. Zero for an impossible point.
  const Vector& normalised() const { return normalised_; }
  // (4.13).
  double effective_sample_size() const { return effective_sample_size_; }
  // log of the mean weight, impossible points included in the mean.
  double log_mean() const { return log_mean_; }

 private:
  std::vector<double> log_weights_;
  Vector normalised_;
  double effective_sample_size_ = 0.0, log_mean_ = 0.0;
};

// (4.6): log w_i = -(beta' - beta) E1_i. Schedule and reweighting both call this one.
LogWeights reweight(std::span<const Energy> energies, double beta_step);

class EssSchedule {
 public:
  // gamma of (4.14): the share of the possible points that the weights must keep effective.
  explicit EssSchedule(double ess_target) : ess_target_(ess_target) {}

  // (4.14): beta' with ESS = gamma N, or `last` if that keeps at least as much. `last` may be infinite.
  double next(std::span<const Energy> energies, double beta, double last = 1.0) const;

 private:
  double ess_target_;
};

}  // namespace ta2s2
