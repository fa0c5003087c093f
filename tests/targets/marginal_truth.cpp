#include "targets/marginal_truth.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numeric>

namespace ta2s2 {
namespace {

using Function = std::function<double(double)>;
using Gauss = boost::math::quadrature::gauss<double, 15>;

// The cell in which the cumulative sum of `masses` passes `share` of the total, and what is left of it there.
struct Place {
  std::size_t cell;
  double left;
};

Place find_place(const std::vector<double>& masses, double share) {
  double left = share * std::accumulate(masses.begin(), masses.end(), 0.0);
  std::size_t cell = 0;
  while (cell + 1 < masses.size() && left > masses[cell]) left -= masses[cell++];
  return {cell, left};
}

// Where an increasing function passes zero.
double bisect(const Function& f, double low, double high) {
  constexpr int kHalvings = 50;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Differences of fourth order inside, of second order next to the border and one-sided on it.
std::vector<double> derivatives(const std::vector<double>& f, double step) {
  const std::size_t n = f.size();
  std::vector<double> out(n);
  for (std::size_t i = 2; i + 2 < n; ++i) {
    out[i] = (8.0 * (f[i + 1] - f[i - 1]) - (f[i + 2] - f[i - 2])) / (12.0 * step);
  }
  for (const std::size_t i : {std::size_t{1}, n - 2}) out[i] = (f[i + 1] - f[i - 1]) / (2.0 * step);
  out[0] = (-3.0 * f[0] + 4.0 * f[1] - f[2]) / (2.0 * step);
  out[n - 1] = (3.0 * f[n - 1] - 4.0 * f[n - 2] + f[n - 3]) / (2.0 * step);
  return out;
}

// Cubic Hermite interpolant of a cell, integrated from its left node to the share t of its width.
double hermite_integral(double f0, double f1, double slope0, double slope1, double step, double t) {
  const double t2 = t * t, t3 = t2 * t, t4 = t3 * t;
  return step * (f0 * (0.5 * t4 - t3 + t) + f1 * (-0.5 * t4 + t3) +
                 step * (slope0 * (0.25 * t4 - 2.0 / 3.0 * t3 + 0.5 * t2) + slope1 * (0.25 * t4 - t3 / 3.0)));
}

// Integral of weight times value by the trapezoidal rule, with the correction that a density which does not vanish at
// the border needs.
template <typename Weight>
double corrected_trapezoid(std::vector<double> values, double step, const Weight& weight) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= weight(i);
  const std::vector<double> slopes = derivatives(values, step);
  const double sum = std::accumulate(values.begin(), values.end(), -0.5 * (values.front() + values.back()));
  return step * (sum + step / 12.0 * (slopes.front() - slopes.back()));
}

}  // namespace

MarginalTruth integrate_marginal(const Function& density, double low, double high) {
  constexpr int kPanels = 400;
  const double width = (high - low) / kPanels;
  const auto panel_low = [&](std::size_t i) { return low + width * static_cast<double>(i); };
  std::vector<double> masses(kPanels);
  double first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double a = panel_low(i), b = a + width;
    masses[i] = Gauss::integrate(density, a, b);
    first += Gauss::integrate([&](double x) { return x * density(x); }, a, b);
    second += Gauss::integrate([&](double x) { return x * x * density(x); }, a, b);
  }
  MarginalTruth truth;
  truth.mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  truth.mean = first / truth.mass;
  truth.sd = std::sqrt(second / truth.mass - truth.mean * truth.mean);
  for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
    const Place place = find_place(masses, kTruthLevels[q]);
    const double a = panel_low(place.cell);
    const auto excess = [&](double x) { return Gauss::integrate(density, a, x) - place.left; };
    truth.quantiles[q] = bisect(excess, a, a + width);
  }
  return truth;
}

MarginalTruth integrate_nodes(const std::vector<double>& values, double low, double high) {
  const double step = (high - low) / static_cast<double>(values.size() - 1);
  const auto node = [&](std::size_t i) { return low + step * static_cast<double>(i); };
  const std::vector<double> slopes = derivatives(values, step);
  const auto part = [&](std::size_t i, double t) {
    return hermite_integral(values[i], values[i + 1], slopes[i], slopes[i + 1], step, t);
  };
  std::vector<double> masses(values.size() - 1);
  for (std::size_t i = 0; i < masses.size(); ++i) masses[i] = part(i, 1.0);

  MarginalTruth truth;
  truth.mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  truth.mean = corrected_trapezoid(values, step, node) / truth.mass;
  const auto squared = [&](std::size_t i) { return std::pow(node(i) - truth.mean, 2); };
  truth.sd = std::sqrt(corrected_trapezoid(values, step, squared) / truth.mass);
  for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
    const Place place = find_place(masses, kTruthLevels[q]);
    const double t = bisect([&](double share) { return part(place.cell, share) - place.left; }, 0.0, 1.0);
    truth.quantiles[q] = node(place.cell) + step * t;
  }
  return truth;
}

Truth truth_from_marginals(double log_evidence, const std::vector<MarginalTruth>& marginals) {
  const auto d = static_cast<Index>(marginals.size());
  Truth truth{log_evidence, Vector(d), Vector(d), Matrix(d, kTruthLevels.size()), Vector::Ones(1)};
  for (Index j = 0; j < d; ++j) {
    const MarginalTruth& marginal = marginals[static_cast<std::size_t>(j)];
    truth.mean[j] = marginal.mean;
    truth.sd[j] = marginal.sd;
    for (std::size_t q = 0; q < kTruthLevels.size(); ++q) {
      truth.quantiles(j, static_cast<Index>(q)) = marginal.quantiles[q];
    }
  }
  return truth;
}

}  // namespace ta2s2
