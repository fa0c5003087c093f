// The next inverse temperature.
#pragma once

#include <span>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

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
