// How good a set of predictions was, given the truths (docs/math.md, section 6). All in the units of the predictions.
#pragma once

#include <array>
#include <span>

#include "ta2s2/prediction.hpp"
#include "ta2s2/predictive/predictive_law.hpp"
#include "ta2s2/predictive/student_table.hpp"
#include "ta2s2/simd/instruction_set.hpp"

namespace ta2s2 {

// The continuous ranked probability score: of a mixture of normals, the paper's (5.2)-(5.4), and the half of a Student
// mixture's that takes quadrature.

// Of sum_i w_i N(mean_i, sd_i^2) against the truth y, in the units of y (Grimit et al. 2006). Weights sum to 1; an sd
// may be zero. The double sum up to kMostNormalPairs components, beyond that quadrature, which costs less from there
// on.
double normal_mixture_crps(std::span<const double> weights, std::span<const double> means, std::span<const double> sds,
                           double y, InstructionSet path = best_instruction_set());

inline constexpr int kMostNormalPairs = 250;

// The closed form: sum_i w_i A(y - mean_i, sd_i^2) - 1/2 sum_ij w_i w_j A(mean_i - mean_j, sd_i^2 + sd_j^2). O(N^2).
double normal_mixture_crps_by_pairs(std::span<const double> weights, std::span<const double> means,
                                    std::span<const double> sds, double y);

// The second sum as the integral of F (1 - F): O(N) per node, with the accuracy of StudentMixture::crps.
double normal_mixture_crps_by_quadrature(std::span<const double> weights, std::span<const double> means,
                                         std::span<const double> sds, double y,
                                         InstructionSet path = best_instruction_set());

// 1/2 E|X - X'| of a mixture of Student t, the part of its CRPS that does not depend on the truth: the integral of
// F (1 - F), by quadrature, to 1e-7 of itself or (nearly always) far better. Scales of zero are allowed.
double half_mean_difference(const StudentTable& table, std::span<const double> weights, std::span<const double> means,
                            std::span<const double> scales, InstructionSet path);

// The scores of one prediction; all but pit and covered are better when smaller.
struct PointScores {
  double error = 0.0;  // predictive mean - truth
  double crps = 0.0;   // of the exact predictive
  // Of normals with the means and variances of the components, the paper's score; NaN where a law is not plain, as its
  // components then have none in the user's units.
  double crps_normal_mixture = 0.0;
  double negative_log_density = 0.0;
  double interval_score_95 = 0.0;                      // Gneiting and Raftery (2007), central 95% interval
  std::array<bool, kCoverageLevels.size()> covered{};  // by the central interval of each level
  double pit = 0.0;                                    // predictive cdf at the truth
};

PointScores score_point(const PredictiveLaw& prediction, double truth);

// Takes points one at a time, so that validation can stream; score them in parallel and add them in their order.
class ScoreAccumulator {
 public:
  void add(const PointScores& point);
  void add(const PredictiveLaw& prediction, double truth) { add(score_point(prediction, truth)); }

  Scores result() const;  // means over the points; at least one must have been added

 private:
  Scores sums_;
  double sum_squared_error_ = 0.0;
};

}  // namespace ta2s2
