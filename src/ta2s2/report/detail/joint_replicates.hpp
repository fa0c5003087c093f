// Runs as the emulator itself would make them, at all points together: what its own truth would look like.
#pragma once

#include <optional>

#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/report/detail/count_law.hpp"

namespace ta2s2::detail {

// The squared distance of outputs from their predicted means, in the metric of the predicted covariance, beside the
// central 95% of what it is for replicates (Bastos and O'Hagan 2009, for a mixture).
struct Mahalanobis {
  double squared = 0.0;
  double low = 0.0, high = 0.0;
};

struct JointReplicates {
  ChanceLaw chance;
  Mahalanobis distance;
  Index num_points = 0;  // that were simulated: at most kMostJointPoints
};
inline constexpr Index kMostJointPoints = 200;

// Evenly chosen points if there are more than kMostJointPoints.
JointReplicates replicate_jointly(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                  std::uint64_t seed, Executor& executor);

}  // namespace ta2s2::detail
