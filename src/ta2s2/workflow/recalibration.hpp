// How much wider predictions have to be than the models say, by the runs that are left out (docs/math.md, section 13).
#pragma once

#include <optional>
#include <string>

#include "ta2s2/types.hpp"

namespace ta2s2 {

struct RecalibrationRule {
  static constexpr double farthest_score = 3.5;  // a run that is farther out counts as this far
  static constexpr double pseudo_runs = 30.0;    // of normal scores that are as they should be
  static constexpr double least = 1.0;           // predictions are never made narrower
  static constexpr double most = 2.5;
};

// kappa, from the predictive cdf at each left-out run; NaN of a run that cannot be left out. The recalibrated law has
// the cdf Phi(Phi^-1(F) / kappa).
double find_recalibration(const Vector& pit);

// "intervals widened by 1.08 to match left-out runs".
std::string recalibration_text(double kappa);

// What has laws, with these recalibrated; as it is if there is no factor.
template <class Laws>
Laws recalibrated(Laws laws, const std::optional<double>& kappa) {
  if constexpr (requires { laws.recalibrated(*kappa); }) {
    return kappa && *kappa != 1.0 ? laws.recalibrated(*kappa) : laws;
  } else {
    return laws;
  }
}

}  // namespace ta2s2
