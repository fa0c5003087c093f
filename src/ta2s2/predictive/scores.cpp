#include "ta2s2/predictive/scores.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/predictive/crps.hpp"

namespace ta2s2 {
namespace {

struct Interval {
  double lower;
  double upper;

  bool contains(double y) const { return lower <= y && y <= upper; }
};

Interval central_interval(const StudentMixture& prediction, double level) {
  const double outside = 0.5 * (1.0 - level);
  return {prediction.quantile(outside), prediction.quantile(1.0 - outside)};
}

// Width, and 2 / alpha for every unit by which the truth is missed (Gneiting and Raftery 2007, equation 43).
double interval_score(const Interval& interval, double truth, double level) {
  const double missed = std::max(interval.lower - truth, 0.0) + std::max(truth - interval.upper, 0.0);
  return interval.upper - interval.lower + 2.0 / (1.0 - level) * missed;
}

double score_as_normal_mixture(const StudentMixture& prediction, double truth) {
  const double df = prediction.df();
  const double sd_per_scale = std::isinf(df) ? 1.0 : std::sqrt(df / (df - 2.0));
  std::vector<double> sds(prediction.scales().begin(), prediction.scales().end());
  for (double& sd : sds) sd *= sd_per_scale;
  return normal_mixture_crps(prediction.weights(), prediction.means(), sds, truth, prediction.path());
}

}  // namespace

PointScores score_point(const StudentMixture& prediction, double truth) {
  if (!std::isfinite(truth))
    throw Error(ErrorCode::bad_data, "A prediction can only be scored against a finite truth.");
  PointScores point;
  point.error = prediction.mean() - truth;
  point.crps = prediction.crps(truth);
  point.crps_normal_mixture = score_as_normal_mixture(prediction, truth);
  point.negative_log_density = -prediction.log_density(truth);
  point.pit = prediction.cdf(truth);
  for (std::size_t k = 0; k < kCoverageLevels.size(); ++k) {
    const Interval interval = central_interval(prediction, kCoverageLevels[k]);
    point.covered[k] = interval.contains(truth);
    if (kCoverageLevels[k] == 0.95) point.interval_score_95 = interval_score(interval, truth, 0.95);
  }
  return point;
}

void ScoreAccumulator::add(const PointScores& point) {
  sums_.n += 1;
  sum_squared_error_ += point.error * point.error;
  sums_.crps += point.crps;
  sums_.crps_normal_mixture += point.crps_normal_mixture;
  sums_.nlpd += point.negative_log_density;
  sums_.interval_score_95 += point.interval_score_95;
  for (std::size_t k = 0; k < point.covered.size(); ++k) sums_.coverage[k] += point.covered[k] ? 1.0 : 0.0;
  sums_.pit.push_back(point.pit);
}

Scores ScoreAccumulator::result() const {
  if (sums_.n == 0) throw Error(ErrorCode::usage, "There are no predictions to score.");
  const double n = static_cast<double>(sums_.n);
  Scores scores = sums_;
  scores.rmse = std::sqrt(sum_squared_error_ / n);
  scores.crps /= n;
  scores.crps_normal_mixture /= n;
  scores.nlpd /= n;
  scores.interval_score_95 /= n;
  for (double& coverage : scores.coverage) coverage /= n;
  return scores;
}

}  // namespace ta2s2
