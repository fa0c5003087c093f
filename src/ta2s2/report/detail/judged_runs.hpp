// Predictions of runs beside what the simulator said: of runs that were left out, or that were never in.
#pragma once

#include <functional>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/predictive/leave_one_out.hpp"
#include "ta2s2/predictive/student_mixture.hpp"

namespace ta2s2::detail {

struct JudgedRun {
  Index number = 0;  // from 1
  double observed = 0.0;
  double mean = 0.0, sd = 0.0;
  double low = 0.0, high = 0.0;  // of the central 95% interval
  double crps = 0.0, negative_log_density = 0.0, interval_score = 0.0;
  double pit = 0.0;

  double standardised() const { return (observed - mean) / sd; }
  // By the central interval of a level: the predictive cdf at the observation is no farther than half of it from 1/2.
  bool is_covered(double level) const { return std::abs(2.0 * pit - 1.0) <= level; }
};

std::vector<JudgedRun> judge_validation(const Predictive& predictive, MatrixView inputs, const Vector& outputs,
                                        Executor& executor);
// Runs that cannot be left out are not among them.
std::vector<JudgedRun> judge_left_out(const LeftOutRuns& runs, const Vector& outputs, Executor& executor);

struct RunScores {
  Index n = 0;
  double rmse = 0.0, crps = 0.0, nlpd = 0.0, interval_score = 0.0, coverage_95 = 0.0;
};
RunScores total_scores(const std::vector<JudgedRun>& runs);

Index num_covered(const std::vector<JudgedRun>& runs, double level);

}  // namespace ta2s2::detail
