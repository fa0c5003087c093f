// The criteria themselves; run_criterion.hpp says what they have in common.
#pragma once

#include "ta2s2/predictive/run_criterion.hpp"

namespace ta2s2::detail {

// MacKay (1992), Seo et al. (2000): variance of the latent output, of all draws together.
std::unique_ptr<RunCriterion> make_variance_criterion(const Predictive& predictive, Executor& executor);

// Cohn (1996): expected fall of the variance, averaged over reference points with weights that sum to one.
std::unique_ptr<RunCriterion> make_imse_criterion(const Predictive& predictive, Matrix reference, Vector weights,
                                                  Executor& executor);

// Information about the latent output that a run brings, given a draw, in nats.
std::unique_ptr<RunCriterion> make_entropy_criterion(const Predictive& predictive, Executor& executor);

// Mockus; Jones et al. (1998); batches after Ginsbourger et al. (2010). sign is 1 for a search for the maximum, -1 for
// the minimum.
std::unique_ptr<RunCriterion> make_improvement_criterion(const Predictive& predictive, double sign, std::uint64_t seed,
                                                         Executor& executor);

// How much reference points count, by the errors that leaving runs out shows near them. They sum to one.
Vector left_out_weights(const Predictive& predictive, const Matrix& unit_points, Executor& executor);

struct WeightedPoints {
  Matrix unit_points;
  Vector weights;  // sum to one
};

// Reference points where the output may be at the level.
WeightedPoints points_near_level(const Predictive& predictive, double level, Index count, std::uint64_t seed,
                                 Executor& executor);

}  // namespace ta2s2::detail
