#include "ta2s2/emulator/student_mixture.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "ta2s2/base/error.hpp"
#include "ta2s2/base/log_math.hpp"
#include "ta2s2/emulator/detail/half_mean_difference.hpp"

namespace ta2s2 {

namespace {

void require(bool condition, const std::string& sentence) {
  if (!condition) throw Error(ErrorCode::usage, sentence);
}

void check_parts(std::span<const double> weights, std::span<const double> means, std::span<const double> scales) {
  require(!weights.empty(), "A predictive mixture needs at least one component.");
  require(weights.size() == means.size() && weights.size() == scales.size(),
          "A predictive mixture needs as many weights (" + std::to_string(weights.size()) + ") as means (" +
              std::to_string(means.size()) + ") and scales (" + std::to_string(scales.size()) + ").");
  double total = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    require(weights[i] >= 0.0 && std::isfinite(means[i]) && scales[i] >= 0.0 && std::isfinite(scales[i]),
            "Component " + std::to_string(i) + " of a predictive mixture has weight " + std::to_string(weights[i]) +
                ", mean " + std::to_string(means[i]) + " and scale " + std::to_string(scales[i]) +
                ": weights and scales must be non-negative and all three finite.");
  }
  require(std::abs(total - 1.0) < 1e-9,
          "The weights of a predictive mixture must sum to 1, not " + std::to_string(total) + ".");
}

// (x - mean) / scale, where a point mass is reached by x = mean: P(mass <= x) = cdf(+inf).
double standardise(double x, double mean, double scale) {
  if (scale > 0.0) return (x - mean) / scale;
  return x >= mean ? kInfinity : -kInfinity;
}

}  // namespace

StudentMixture::StudentMixture(std::span<const double> weights, std::span<const double> means,
                               std::span<const double> scales, double df)
    : weights_(weights), means_(means), scales_(scales), table_(student_table(df)) {
  check_parts(weights, means, scales);
}

double StudentMixture::mean() const {
  return std::inner_product(weights_.begin(), weights_.end(), means_.begin(), 0.0);
}

double StudentMixture::variance() const {
  const double centre = mean();
  double within = 0.0;
  double between = 0.0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    within += weights_[i] * scales_[i] * scales_[i];
    between += weights_[i] * (means_[i] - centre) * (means_[i] - centre);
  }
  return table_->variance() * within + between;
}

double StudentMixture::cdf(double x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    sum += weights_[i] * table_->cdf(standardise(x, means_[i], scales_[i]));
  }
  return sum;
}

double StudentMixture::upper_tail(double x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    sum += weights_[i] * table_->cdf(-standardise(x, means_[i], scales_[i]));
  }
  return sum;
}

double StudentMixture::log_density(double x) const {
  std::vector<double> terms;
  terms.reserve(weights_.size());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] == 0.0) continue;
    if (scales_[i] == 0.0) {
      if (x == means_[i]) return kInfinity;
      continue;
    }
    terms.push_back(std::log(weights_[i] / scales_[i]) + table_->log_density((x - means_[i]) / scales_[i]));
  }
  return log_sum_exp(terms);
}

// Zero at the quantile of u, increasing in x. It is the log of the smaller tail, whose digits, and whose
// straightness in x far out, the other tail lacks; the floor keeps it finite between separated components.
double StudentMixture::log_excess(double x, double u) const {
  constexpr double kFloor = 1e-300;
  if (u <= 0.5) return std::log(std::max(cdf(x), kFloor) / u);
  return std::log((1.0 - u) / std::max(upper_tail(x), kFloor));
}

double StudentMixture::quantile(double u) const {
  require(u > 0.0 && u < 1.0,
          "A quantile is asked for at a probability between 0 and 1, not " + std::to_string(u) + ".");
  // The mixture's quantile lies between the extreme quantiles of its components.
  const double standard = table_->quantile(u);
  double low = kInfinity;
  double high = -kInfinity;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (weights_[i] == 0.0) continue;
    low = std::min(low, means_[i] + scales_[i] * standard);
    high = std::max(high, means_[i] + scales_[i] * standard);
  }
  const double excess_low = log_excess(low, u);
  const double excess_high = log_excess(high, u);
  if (excess_low >= 0.0) return low;    // a single component, or a point mass
  if (excess_high <= 0.0) return high;  // the same, within rounding
  const auto excess = [this, u](double x) { return log_excess(x, u); };
  const auto close = [tolerance = 1e-13 * std::ranges::min(scales_)](double a, double b) {
    return b - a <= std::max(tolerance, 0x1p-50 * std::max(std::abs(a), std::abs(b)));
  };
  std::uintmax_t iterations = 500;
  std::tie(low, high) =
      boost::math::tools::toms748_solve(excess, low, high, excess_low, excess_high, close, iterations);
  return first_point_mass(low, high).value_or(high);
}

// A quantile on a point mass is that mass, to the last bit: an interval that ends on the truth must cover it.
std::optional<double> StudentMixture::first_point_mass(double after, double up_to) const {
  std::optional<double> first;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (scales_[i] > 0.0 || weights_[i] == 0.0 || means_[i] <= after || means_[i] > up_to) continue;
    first = std::min(first.value_or(means_[i]), means_[i]);
  }
  return first;
}

// CRPS = E|X - y| - 1/2 E|X - X'| (Gneiting and Raftery 2007): the first term has a closed form per
// component, and what is left to quadrature is smooth, with no corner at y.
double StudentMixture::crps(double y) const {
  return mean_absolute_deviation(y) - half_mean_difference(*table_, weights_, means_, scales_);
}

double StudentMixture::mean_absolute_deviation(double y) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double t = (y - means_[i]) / scales_[i];
    const bool point_mass = !std::isfinite(t);  // or as good as one: the quotient overflows
    sum += weights_[i] * (point_mass ? std::abs(y - means_[i]) : scales_[i] * table_->mean_absolute_deviation(t));
  }
  return sum;
}

}  // namespace ta2s2
