// A target that a sampler can be held against: its every tempered density can be drawn from exactly, and what a sampler
// is to find at beta = 1 is known.
#pragma once

#include <array>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

inline constexpr std::array<double, 5> kTruthLevels = {0.05, 0.25, 0.5, 0.75, 0.95};

// Exact at beta = 1.
struct Truth {
  double log_evidence = 0.0;  // log of the integral of exp(-H), which `anneal` estimates
  Vector mean, sd;            // (d)
  Matrix quantiles;           // (d, 5), at kTruthLevels
  Vector mode_weights;        // (num_modes()), sums to one
};

class ExactTarget : public TargetDensity {
 public:
  // One draw from the density proportional to exp(-E0 - beta E1), 0 < beta <= 1. Safe to call from several threads.
  virtual Vector draw_exact(double beta, Stream& stream) const = 0;

  // Regions whose weights a sampler must get right; each holds one mode at beta = 1.
  virtual Index num_modes() const { return 1; }
  virtual Index mode_of(VectorView) const { return 0; }

  virtual Truth truth() const = 0;
};

}  // namespace ta2s2
