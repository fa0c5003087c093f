// Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry 2024).
#pragma once

#include <span>
#include <vector>

namespace ta2s2 {

struct SmoothedWeights {
  std::vector<double> log_weights;  // normalised: their exponentials sum to 1
  // Shape of the tail: below 0.7 the weights can be trusted. +inf where there are too few draws to fit a tail
  // (fewer than five in it), -inf where the largest weights are equal and there is no tail.
  double k_hat = 0.0;
};

// log_ratios: unnormalised log importance ratios, one per draw, -inf allowed. The largest min(S/5, 3 sqrt(S /
// r_eff)) are replaced by the expected order statistics of a generalised Pareto law fitted to them; r_eff is
// the draws' ESS / S.
SmoothedWeights pareto_smooth(std::span<const double> log_ratios, double relative_efficiency = 1.0);

struct GeneralisedPareto {
  double shape = 0.0;  // k > 0: heavy tail
  double scale = 1.0;

  double quantile(double u) const;
};

// Zhang and Stephens (2009), with the shape drawn towards 1/2 by a prior worth ten observations (Vehtari et
// al. 2024, appendix C). `excesses` are ascending, non-negative and not all equal.
GeneralisedPareto fit_generalised_pareto(std::span<const double> excesses);

}  // namespace ta2s2
