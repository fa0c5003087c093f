// What each of several models of the same runs weighs: by evidence, or by stacking (docs/math.md, section 13).
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/types.hpp"

namespace ta2s2 {

// Posterior probabilities of models that are equally likely beforehand.
std::vector<double> evidence_weights(const std::vector<double>& log_evidences);

struct WeightInterval {
  double low = 0.0, high = 0.0;
};

// Where the weights by evidence lie, 5% to 95%, given that each log evidence has an independent normal error.
std::vector<WeightInterval> evidence_weight_intervals(const std::vector<double>& log_evidences,
                                                      const std::vector<double>& standard_errors, std::uint64_t seed);

// Stacking (Yao, Vehtari, Simpson and Gelman 2018): the weights whose mixture gives the runs the largest summed log
// density, with as much held back as kStackingPseudoRuns runs would give if all models predicted them alike.
// `log_densities`: a row per run, a column per model, of each run from all others. A model whose mean CRPS of these
// runs is kStackingGuard times the best one's or more answers for none of them and keeps only its part of what is held
// back: a density rewards a model for a few runs that it knows to the last digit, whatever it says of the others, and
// these small weights are the tails that intervals need.
std::vector<double> stacking_weights(const Matrix& log_densities, const Vector& mean_crps);

inline constexpr double kStackingPseudoRuns = 6.0, kStackingGuard = 1.5;
// What the mean over runs of that log density may still lack after the last step.
inline constexpr double kStackingGap = 1e-6;

}  // namespace ta2s2
