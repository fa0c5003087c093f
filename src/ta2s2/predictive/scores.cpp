#include "ta2s2/predictive/scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/adaptive_panels.hpp"
#include "ta2s2/predictive/student_mixture.hpp"

namespace ta2s2 {
namespace {

using detail::Component;

struct Parts {
  std::vector<Component> spread;  // those with a scale to integrate over
  std::vector<Component> masses;  // those so narrow that they act as points
};

// Taking scales below 1e-10 of the mean scale for zero moves the result by less than 1e-10 of itself, and
// spares the quadrature some thirty bisections for each.
Parts split(std::span<const double> weights, std::span<const double> means, std::span<const double> scales) {
  const double mean_scale = std::inner_product(weights.begin(), weights.end(), scales.begin(), 0.0);
  Parts parts;
  parts.spread.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) continue;
    const bool is_spread = scales[i] > 1e-10 * mean_scale && std::isnormal(scales[i]);
    (is_spread ? parts.spread : parts.masses).push_back({weights[i], means[i], scales[i]});
  }
  return parts;
}

double total_weight(const std::vector<Component>& components) {
  double sum = 0.0;
  for (const Component& component : components) sum += component.weight;
  return sum;
}

// 1/2 sum_ij w_i w_j |a_i - a_j|: the step function F (total - F) summed over the sorted gaps.
double among_masses(std::vector<Component> masses) {
  std::ranges::sort(masses, {}, &Component::mean);
  const double total = total_weight(masses);
  double below = 0.0;
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < masses.size(); ++k) {
    below += masses[k].weight;
    sum += below * (total - below) * (masses[k + 1].mean - masses[k].mean);
  }
  return sum;
}

// The integral of the spread components' F (total - F).
class SpreadIntegral {
 public:
  SpreadIntegral(const StudentTable& table, const std::vector<Component>& spread, const detail::SpreadComponents& sums)
      : sums_(sums), total_(total_weight(spread)) {
    for (const Component& c : spread) centre_ += c.weight * c.mean / total_;
    for (const Component& c : spread) {
      unit_ += c.weight * (c.scale + std::abs(c.mean - centre_)) / total_;
      reach_ = std::max(reach_, std::abs(c.mean - centre_) + c.scale * table.reach());
    }
    for (const Component& c : spread) {
      finest_ = std::min(finest_, c.scale / std::hypot(unit_, c.mean - centre_));
    }
  }

  double value() const {
    if (const auto found = by_trapezoids()) return *found;
    return by_panels();
  }

 private:
  // At x = centre + unit sinh(v) the integrand is analytic and falls off at least exponentially: the trapezoidal rule
  // converges so fast that halving the step squares its error (Trefethen and Weideman 2014), and 40 to 100 nodes do
  // where the panels take 150 to 300. The first step is no wider than two scales of any component, so that none is
  // missed by all of the rules that are compared; where that is too small a step, the panels are better.
  std::optional<double> by_trapezoids() const {
    constexpr double kLargestStep = 0.5;
    constexpr double kSmallestStep = 0.01;
    double step = std::min(kLargestStep, 2.0 * finest_);
    if (step < kSmallestStep) return std::nullopt;  // not even one sum: it has as many nodes as the step is small
    double sum = height(0.0) + sum_outwards(step, step);
    double integral = step * sum;
    double change = kInfinity;
    while (step >= kSmallestStep) {
      step *= 0.5;
      sum += sum_outwards(step, 2.0 * step);
      const double last = std::exchange(integral, step * sum);
      const double last_change = std::exchange(change, std::abs(integral - last) / integral);
      // An error has a sign that changes with the step, and one change may be small by chance.
      if (change <= 1e-8 && last_change <= 1e-4) return integral;
    }
    return std::nullopt;
  }

  // Heights at +-first, +-(first + step), ... until they matter no more.
  double sum_outwards(double first, double step) const {
    constexpr double kNegligible = 1e-17;
    const double end = std::asinh(reach_ / unit_);
    double sum = 0.0;
    for (const double side : {-1.0, 1.0}) {
      for (double v = first; v <= end; v += step) {
        const double added = height(side * v);
        sum += added;
        if (added <= kNegligible * sum) break;
      }
    }
    return sum;
  }

  double height(double v) const { return spread_at(unit_ * std::sinh(v)) * unit_ * std::cosh(v); }

  // At x = centre + sign(v) unit (e^|v| - 1), which turns a tail |x|^-df into an exponential.
  double by_panels() const {
    // QUADPACK's estimate is cautious: measured at this setting, errors are 1e-12 for ordinary mixtures (150
    // to 300 nodes) and reach 1e-8 where scales differ by factors of a thousand (a thousand nodes and more).
    constexpr double kTolerance = 1e-7;
    constexpr std::size_t kMostPanels = 2000;
    const double end = std::log1p(reach_ / unit_);
    const double breaks[] = {-end, 0.0, end};
    const auto integrand = [this](double v) {
      const double distance = std::copysign(unit_ * std::expm1(std::abs(v)), v);
      return detail::Integrals<1>{spread_at(distance) * unit_ * std::exp(std::abs(v))};
    };
    return detail::adaptive_integrals<1>(integrand, breaks, kTolerance, kMostPanels).integral[0];
  }

  // F (total - F), from the tail that is small there: 1 - F would lose the digits that heavy tails need.
  double spread_at(double distance) const {
    const double outside = sums_.tail(centre_ + distance, distance < 0.0 ? -1.0 : 1.0);
    return outside * (total_ - outside);
  }

  const detail::SpreadComponents& sums_;
  double total_;
  double centre_ = 0.0;
  double unit_ = 0.0;
  double reach_ = 0.0;
  double finest_ = 1.0;  // the smallest scale, in units of what x moves by with v
};

}  // namespace

// E|X - X'| splits over which of X, X' fall on masses; only spread against spread needs quadrature.
double half_mean_difference(const StudentTable& table, std::span<const double> weights, std::span<const double> means,
                            std::span<const double> scales, InstructionSet path) {
  const Parts parts = split(weights, means, scales);
  if (parts.spread.empty()) return among_masses(parts.masses);
  const detail::SpreadComponents sums(table, parts.spread, path);
  double half = SpreadIntegral(table, parts.spread, sums).value() + among_masses(parts.masses);
  for (const Component& mass : parts.masses) half += mass.weight * sums.mean_absolute_deviation(mass.mean);
  return half;
}

namespace {

// (5.3): A(mu, sigma^2) = 2 sigma f(mu / sigma) + mu (2 F(mu / sigma) - 1) = E|N(mu, sigma^2)|.
double mean_absolute_normal(double mu, double variance) {
  if (variance == 0.0) return std::abs(mu);
  const double sigma = std::sqrt(variance);
  const double ratio = mu / sigma;
  constexpr double kTwiceDensityAtZero = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return kTwiceDensityAtZero * sigma * std::exp(-0.5 * ratio * ratio) + mu * std::erf(ratio / std::numbers::sqrt2);
}

}  // namespace

double normal_mixture_crps_by_pairs(std::span<const double> weights, std::span<const double> means,
                                    std::span<const double> sds, double y) {
  double to_truth = 0.0;
  double to_each_other = 0.0;  // half the double sum: A is symmetric, so each pair once, and half the diagonal
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double variance = sds[i] * sds[i];
    to_truth += weights[i] * mean_absolute_normal(y - means[i], variance);
    double row = 0.5 * weights[i] * mean_absolute_normal(0.0, 2.0 * variance);
    for (std::size_t j = 0; j < i; ++j) {
      row += weights[j] * mean_absolute_normal(means[i] - means[j], variance + sds[j] * sds[j]);
    }
    to_each_other += weights[i] * row;
  }
  return to_truth - to_each_other;
}

double normal_mixture_crps_by_quadrature(std::span<const double> weights, std::span<const double> means,
                                         std::span<const double> sds, double y, InstructionSet path) {
  return StudentMixture(weights, means, sds, kInfinity, path).crps(y);
}

double normal_mixture_crps(std::span<const double> weights, std::span<const double> means, std::span<const double> sds,
                           double y, InstructionSet path) {
  const bool few = weights.size() <= static_cast<std::size_t>(kMostNormalPairs);
  return few ? normal_mixture_crps_by_pairs(weights, means, sds, y)
             : normal_mixture_crps_by_quadrature(weights, means, sds, y, path);
}

namespace {

struct CentralInterval {
  double lower;
  double upper;

  bool contains(double y) const { return lower <= y && y <= upper; }
};

CentralInterval central_interval(const PredictiveLaw& prediction, double level) {
  const double outside = 0.5 * (1.0 - level);
  return {prediction.quantile(outside), prediction.quantile(1.0 - outside)};
}

// Width, and 2 / alpha for every unit by which the truth is missed (Gneiting and Raftery 2007, equation 43).
double interval_score(const CentralInterval& interval, double truth, double level) {
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

PointScores score_point(const PredictiveLaw& prediction, double truth) {
  if (!std::isfinite(truth))
    throw Error(ErrorCode::bad_data, "A prediction can only be scored against a finite truth.");
  PointScores point;
  point.error = prediction.mean() - truth;
  point.crps = prediction.crps(truth);
  const StudentMixture* const plain = prediction.plain();
  point.crps_normal_mixture =
      plain == nullptr ? std::numeric_limits<double>::quiet_NaN() : score_as_normal_mixture(*plain, truth);
  point.negative_log_density = -prediction.log_density(truth);
  point.pit = prediction.cdf(truth);
  for (std::size_t k = 0; k < kCoverageLevels.size(); ++k) {
    const CentralInterval interval = central_interval(prediction, kCoverageLevels[k]);
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
