// What the emulator would have said of each of its own runs, had that run been left out (docs/math.md, section 6).
#pragma once

#include <span>
#include <vector>

#include "ta2s2/predictive/predictive.hpp"

namespace ta2s2 {

// The predictive of every run from all others, as mixtures over the draws: a column per run. Units as in MixtureBlock.
struct LeftOutRuns {
  Matrix weights, means, scales;  // (draws, runs)
  double degrees_of_freedom = 0.0;
  InstructionSet path = InstructionSet::plain;
  std::vector<double> k_hat;   // of each run's weights: above 0.7 its prediction rests on few draws
  std::vector<bool> is_known;  // false of a run without which the trend cannot be found
  std::shared_ptr<const LawFrame> frame = nullptr;  // null: plain

  Index num_runs() const { return means.cols(); }
  // Valid as long as this is. The run must be known.
  PredictiveLaw at(Index run) const;
  // The same draws with this frame: other units if one is plain and the other is not.
  LeftOutRuns in_frame(std::shared_ptr<const LawFrame> other) const;
  // The same, with laws whose normal scores are divided by kappa.
  LeftOutRuns recalibrated(double kappa) const;
};

// A fit needs 3 degrees of freedom; leaving a run out takes one.
inline constexpr Index kFewestFreedomToLeaveOut = 4;

// No refit: without run i a draw weighs 1 / p(y_i | y without i, phi, nugget) times what it weighs with it. These
// weights are Pareto-smoothed; a plain average over the full posterior, which has seen y_i, would be optimistic.
// Scaling and prior stay those of all runs. relative_efficiency: what a draw of the sample is worth.
// Error{bad_data} with fewer degrees of freedom than that.
LeftOutRuns leave_one_out(const Predictive& predictive, double relative_efficiency, Executor& executor);

struct SmoothedWeights {
  std::vector<double> log_weights;  // normalised: their exponentials sum to 1
  // Shape of the tail: below 0.7 the weights can be trusted. +inf where there are too few draws to fit a tail
  // (fewer than five in it), -inf where the largest weights are equal and there is no tail.
  double k_hat = 0.0;
};

// Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao and Gabry 2024). log_ratios: unnormalised log
// importance ratios, one per draw, -inf allowed. The largest min(S/5, 3 sqrt(S / r_eff)) are replaced by the expected
// order statistics of a generalised Pareto law fitted to them; r_eff is the draws' ESS / S.
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
