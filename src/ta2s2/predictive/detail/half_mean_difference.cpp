#include "ta2s2/predictive/detail/half_mean_difference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/predictive/detail/adaptive_quadrature.hpp"
#include "ta2s2/predictive/detail/component_sums.hpp"

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
  SpreadIntegral(const StudentTable& table, const std::vector<Component>& spread, const detail::ComponentSums& sums)
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
    constexpr int kMostPanels = 2000;
    const double end = std::log1p(reach_ / unit_);
    const double breaks[] = {-end, 0.0, end};
    const auto integrand = [this](double v) {
      return spread_at(std::copysign(unit_ * std::expm1(std::abs(v)), v)) * unit_ * std::exp(std::abs(v));
    };
    return adaptive_integral(integrand, breaks, kTolerance, kMostPanels);
  }

  // F (total - F), from the tail that is small there: 1 - F would lose the digits that heavy tails need.
  double spread_at(double distance) const {
    const double outside = sums_.tail(centre_ + distance, distance < 0.0 ? -1.0 : 1.0);
    return outside * (total_ - outside);
  }

  const detail::ComponentSums& sums_;
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
  const detail::ComponentSums sums(table, parts.spread, path);
  double half = SpreadIntegral(table, parts.spread, sums).value() + among_masses(parts.masses);
  for (const Component& mass : parts.masses) half += mass.weight * sums.mean_absolute_deviation(mass.mean);
  return half;
}

}  // namespace ta2s2
