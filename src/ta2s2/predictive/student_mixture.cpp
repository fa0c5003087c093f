#include "ta2s2/predictive/student_mixture.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/predictive/scores.hpp"

namespace ta2s2 {
namespace {

constexpr double kFloor = 1e-300;  // of a tail, between separated components

void require(bool condition, const std::string& sentence) {
  if (!condition) throw Error(ErrorCode::usage, sentence);
}

void refuse_component(std::size_t i, double weight, double mean, double scale) {
  throw Error(ErrorCode::usage, "Component " + std::to_string(i) + " of a predictive mixture has weight " +
                                    std::to_string(weight) + ", mean " + std::to_string(mean) + " and scale " +
                                    std::to_string(scale) +
                                    ": weights and scales must be non-negative and all three finite.");
}

// A scale without an inverse is none.
bool is_point_mass(double scale) {
  return !std::isnormal(scale);
}

}  // namespace

// Sentences are made where they are needed only: making one takes longer than scoring a component.
void check_components(std::span<const double> weights, std::span<const double> means, std::span<const double> scales) {
  require(!weights.empty(), "A predictive mixture needs at least one component.");
  require(weights.size() == means.size() && weights.size() == scales.size(),
          "A predictive mixture needs as many weights (" + std::to_string(weights.size()) + ") as means (" +
              std::to_string(means.size()) + ") and scales (" + std::to_string(scales.size()) + ").");
  double total = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    total += weights[i];
    const bool valid = weights[i] >= 0.0 && std::isfinite(means[i]) && scales[i] >= 0.0 && std::isfinite(scales[i]);
    if (!valid) refuse_component(i, weights[i], means[i], scales[i]);
  }
  require(std::abs(total - 1.0) < 1e-9,
          "The weights of a predictive mixture must sum to 1, not " + std::to_string(total) + ".");
}

StudentMixture::StudentMixture(std::span<const double> weights, std::span<const double> means,
                               std::span<const double> scales, double df, InstructionSet path)
    : weights_(weights), means_(means), scales_(scales), path_(path), table_(student_table(df)) {
  check_components(weights, means, scales);
  std::vector<detail::Component> spread;
  spread.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) continue;
    if (is_point_mass(scales[i])) {
      masses_.push_back({weights[i], means[i]});
      continue;
    }
    spread.push_back({weights[i], means[i], scales[i]});
    smallest_scale_ = std::min(smallest_scale_, scales[i]);
  }
  spread_ = std::make_shared<const detail::SpreadComponents>(*table_, spread, path);
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
  double sum = spread_->tail(x, -1.0);
  for (const PointMass& mass : masses_) sum += x >= mass.mean ? mass.weight : 0.0;
  return sum;
}

double StudentMixture::upper_tail(double x) const {
  double sum = spread_->tail(x, 1.0);
  for (const PointMass& mass : masses_) sum += x >= mass.mean ? 0.0 : mass.weight;
  return sum;
}

double StudentMixture::log_density(double x) const {
  for (const PointMass& mass : masses_) {
    if (x == mass.mean) return kInfinity;
  }
  return spread_->log_density(x);
}

// Zero at the quantile of u, increasing in x. It is the log of the smaller tail, whose digits, and whose
// straightness in x far out, the other tail lacks.
double StudentMixture::log_excess(double x, double u) const {
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
  if (low == high) return low;
  return masses_.empty() ? smooth_quantile(u, standard, low, high) : quantile_between(u, low, high);
}

// Newton on the log of the smaller tail, which is nearly straight far out. Where a step leaves the bracket, or does not
// halve the one before (between separated components), the bracket is halved instead.
double StudentMixture::smooth_quantile(double u, double standard, double low, double high) const {
  constexpr int kMostSteps = 500;
  const double side = u <= 0.5 ? -1.0 : 1.0;
  const double probability = u <= 0.5 ? u : 1.0 - u;
  double x = std::clamp(mean() + std::sqrt(variance() / table_->variance()) * standard, low, high);
  double step = high - low;
  for (int k = 0; k < kMostSteps; ++k) {
    const TailAndDensity at = spread_->tail_and_density(x, side);
    const double excess = side * std::log(probability / std::max(at.tail, kFloor));  // below the quantile: negative
    (excess < 0.0 ? low : high) = x;
    double next = x - excess * at.tail / at.density;
    const bool converges = next > low && next < high && std::abs(next - x) <= 0.5 * std::abs(step);
    if (!converges) next = low + 0.5 * (high - low);
    step = next - x;
    x = next;
    // What a step of Newton leaves is some multiple of its square over the smallest scale.
    if (converges && std::abs(step) <= 1e-7 * smallest_scale_) return x;
    if (high - low <= std::max(1e-13 * smallest_scale_, 0x1p-50 * std::max(std::abs(low), std::abs(high)))) return high;
  }
  return high;
}

double StudentMixture::quantile_between(double u, double low, double high) const {
  const double excess_low = log_excess(low, u);
  const double excess_high = log_excess(high, u);
  if (excess_low >= 0.0) return low;    // a point mass
  if (excess_high <= 0.0) return high;  // the same, within rounding
  const auto excess = [this, u](double x) { return log_excess(x, u); };
  const auto close = [](double a, double b) { return b - a <= 0x1p-50 * std::max(std::abs(a), std::abs(b)); };
  std::uintmax_t iterations = 500;
  std::tie(low, high) =
      boost::math::tools::toms748_solve(excess, low, high, excess_low, excess_high, close, iterations);
  return first_point_mass(low, high).value_or(high);
}

// A quantile on a point mass is that mass, to the last bit: an interval that ends on the truth must cover it.
std::optional<double> StudentMixture::first_point_mass(double after, double up_to) const {
  std::optional<double> first;
  for (const PointMass& mass : masses_) {
    if (mass.mean <= after || mass.mean > up_to) continue;
    first = std::min(first.value_or(mass.mean), mass.mean);
  }
  return first;
}

// CRPS = E|X - y| - 1/2 E|X - X'| (Gneiting and Raftery 2007): the first term has a closed form per
// component, and what is left to quadrature is smooth, with no corner at y.
double StudentMixture::crps(double y) const {
  double deviation = spread_->mean_absolute_deviation(y);
  for (const PointMass& mass : masses_) deviation += mass.weight * std::abs(y - mass.mean);
  return deviation - half_mean_difference(*table_, weights_, means_, scales_, path_);
}

namespace detail {

SpreadComponents::SpreadComponents(const StudentTable& table, const std::vector<Component>& components,
                                   InstructionSet path)
    : table_(&table), kernels_(mixture_routines(path)), components_(components) {
  const std::size_t count = (components.size() + kPaddedComponents - 1) / kPaddedComponents * kPaddedComponents;
  numbers_.resize(4 * count);
  double* const weights = numbers_.data();
  double* const means = weights + count;
  double* const scales = means + count;
  double* const inverse_scales = scales + count;
  for (std::size_t i = 0; i < components.size(); ++i) {
    weights[i] = components[i].weight;
    means[i] = components[i].mean;
    scales[i] = components[i].scale;
    inverse_scales[i] = 1.0 / components[i].scale;
  }
  problem_ = {count, weights, means, scales, inverse_scales, table.cells(), table.df(), table.log_constant()};
}

double SpreadComponents::tail(double x, double side) const {
  if (kernels_ != nullptr) return kernels_->tail(problem_, x, side);
  double sum = 0.0;
  for (const Component& c : components_) sum += c.weight * table_->cdf(side * (c.mean - x) / c.scale);
  return sum;
}

TailAndDensity SpreadComponents::tail_and_density(double x, double side) const {
  if (kernels_ != nullptr) return kernels_->tail_and_density(problem_, x, side);
  double density = 0.0;
  for (const Component& c : components_) {
    density += c.weight / c.scale * std::exp(table_->log_density((x - c.mean) / c.scale));
  }
  return {tail(x, side), density};
}

double SpreadComponents::log_density(double x) const {
  if (components_.empty()) return -kInfinity;
  if (kernels_ != nullptr) return kernels_->log_density(problem_, x);
  std::vector<double> terms;
  terms.reserve(components_.size());
  for (const Component& c : components_) {
    terms.push_back(std::log(c.weight / c.scale) + table_->log_density((x - c.mean) / c.scale));
  }
  return log_sum_exp(terms);
}

double SpreadComponents::mean_absolute_deviation(double y) const {
  if (kernels_ != nullptr) return kernels_->mean_absolute_deviation(problem_, y);
  double sum = 0.0;
  for (const Component& c : components_) {
    const double t = (y - c.mean) / c.scale;
    const bool far = !std::isfinite(t);  // the quotient overflows: as good as a point mass
    sum += c.weight * (far ? std::abs(y - c.mean) : c.scale * table_->mean_absolute_deviation(t));
  }
  return sum;
}

}  // namespace detail
}  // namespace ta2s2
