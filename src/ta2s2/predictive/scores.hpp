// How good a set of predictions was, given the truths (docs/math.md, section 6). All in the units of the predictions.
#pragma once

#include <array>
#include <vector>

#include "ta2s2/prediction.hpp"
#include "ta2s2/predictive/student_mixture.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// The scores of one prediction; all but pit and covered are better when smaller.
struct PointScores {
  double error = 0.0;                // predictive mean - truth
  double crps = 0.0;                 // of the exact predictive
  double crps_normal_mixture = 0.0;  // of normals with the means and variances of the components, the paper's score
  double negative_log_density = 0.0;
  double interval_score_95 = 0.0;                      // Gneiting and Raftery (2007), central 95% interval
  std::array<bool, kCoverageLevels.size()> covered{};  // by the central interval of each level
  double pit = 0.0;                                    // predictive cdf at the truth
};

PointScores score_point(const StudentMixture& prediction, double truth);

// Takes points one at a time, so that validation can stream; score them in parallel and add them in their order.
class ScoreAccumulator {
 public:
  void add(const PointScores& point);
  void add(const StudentMixture& prediction, double truth) { add(score_point(prediction, truth)); }

  Scores result() const;  // means over the points; at least one must have been added

 private:
  Scores sums_;
  double sum_squared_error_ = 0.0;
};

}  // namespace ta2s2
