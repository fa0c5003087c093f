// The emulator's predictions of known runs, beside plug-in MAP's.
#pragma once

#include "ta2s2/report/detail/judged_runs.hpp"
#include "ta2s2/workflow/chance_law.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

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

  Index num_unreliable() const;  // runs with k-hat above JudgeLimits::largest_shape
};
// k-hat up to which smoothed weights are good (Vehtari et al. 2024).
inline constexpr double kGoodShape = 0.5;

LeftOutPredictions predict_left_out(const OutputRecord& output, Executor& executor);

struct ValidationPredictions {
  JudgedPredictions runs;
  std::vector<bool> is_outside;  // of the box that the fit's runs span, in some input
  double farthest = 0.0;         // beyond it, in widths of an input's range
  Index num_joint = 0;           // runs that what chance allows was simulated for
};
ValidationPredictions predict_validation(const OutputRecord& output, const OutputRuns& validation, Executor& executor);

// What draws are thinned for; each purpose has a stream of its own. 1 is leave-one-out's (workflow/left_out.cpp), 4
// that of joint replicates (workflow/chance_law.cpp).
enum class Thinning : std::uint64_t { effects = 2, pairs = 3 };

// The sample as it is if it has no more draws.
PosteriorSample thinned_sample(const MemberRecord& fit, Index count, Thinning purpose);
// Of all members together, by weight.
Predictive thinned_predictive(const OutputRecord& output, Index count, Thinning purpose);

}  // namespace ta2s2::detail
