// The emulator's predictions of known runs, left out in turn or never in, beside what the simulator said and what
// plug-in MAP predicts.
#pragma once

#include <algorithm>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/predictive/leave_one_out.hpp"
#include "ta2s2/report/record_findings.hpp"
#include "ta2s2/workflow/chance_law.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::report {

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

ScoreRow total_scores(const std::vector<JudgedRun>& runs);
Index num_covered(const std::vector<JudgedRun>& runs, double level);

struct JudgedPredictions {
  std::vector<JudgedRun> posterior, map;
  double output_variance = 0.0;                       // of the observations
  ChanceLaw chance;                                   // of posterior
  std::optional<Mahalanobis> distance, map_distance;  // both or neither

  // Share of the observations' variance that the predicted means explain.
  double explained() const;
};

// Leave-one-out of the training runs.
struct LeftOutPredictions {
  JudgedPredictions runs;
  std::vector<double> k_hat;       // of runs.posterior; empty with fewer draws than a tail needs
  std::vector<Index> cannot_miss;  // numbers from 1 of runs without which the trend cannot be found
  Index num_draws = 0;
  LeftOutFacts facts;  // of the same draws

  Index num_above(double k_hat) const;
};
LeftOutPredictions predict_left_out(const OutputRecord& output, Executor& executor);

struct ValidationPredictions {
  JudgedPredictions runs;
  std::vector<bool> is_outside;  // of the box that the fit's runs span, in some input
  double farthest = 0.0;         // beyond it, in widths of an input's range
  Index num_joint = 0;           // runs that what chance allows was simulated for

  Index num_outside() const { return std::count(is_outside.begin(), is_outside.end(), true); }
};
ValidationPredictions predict_validation(const OutputRecord& output, const OutputRuns& validation, Executor& executor);

}  // namespace ta2s2::report
