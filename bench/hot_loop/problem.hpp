// Posteriors of every size on which H is timed: a smooth function's runs on a Latin hypercube, nugget fixed.
#pragma once

#include <string>

#include "ta2s2/gp/gp_target.hpp"

namespace ta2s2::bench {

inline constexpr double kNugget = 1e-6;

struct ModelChoice {
  std::string correlation = "squared-exponential";
  std::string trend = "none";
  std::string prior = "log-uniform";
  std::string transform = "none";

  bool has_reference_prior() const { return prior == "reference"; }
};

struct Runs {
  Matrix X;  // (n, p), in the unit cube
  Vector y;  // standardised
};

Runs make_runs(Index n, Index p);
GpTarget make_target(const Runs& runs, const ModelChoice& choice);

// As many positions as asked for, where neighbours are correlated and K is far from singular up to the nugget.
Matrix make_positions(Index p, Index count);

}  // namespace ta2s2::bench
