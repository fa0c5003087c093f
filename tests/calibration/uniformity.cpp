#include "calibration/uniformity.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <iterator>

#include "ta2s2/predictive/scores.hpp"
#include "unit/rng/kolmogorov_smirnov.hpp"

namespace ta2s2::calibration {
namespace {

constexpr std::size_t kBins = 10;

bool is_central(double rank, double level) {
  return std::abs(rank - 0.5) <= 0.5 * level;
}

}  // namespace

double chi_square_p_value(const std::vector<double>& ranks) {
  std::array<double, kBins> counts{};
  for (const double rank : ranks) {
    counts[std::min(kBins - 1, static_cast<std::size_t>(rank * static_cast<double>(kBins)))] += 1.0;
  }
  const double expected = static_cast<double>(ranks.size()) / static_cast<double>(kBins);
  double statistic = 0.0;
  for (const double count : counts) statistic += (count - expected) * (count - expected) / expected;
  return boost::math::gamma_q(0.5 * static_cast<double>(kBins - 1), 0.5 * statistic);
}

double kolmogorov_p_value(const std::vector<double>& ranks) {
  const double statistic = ks_statistic(ranks, [](double u) { return u; });
  return std::min(1.0, 2.0 * std::exp(-2.0 * statistic * statistic));
}

double coverage(const std::vector<double>& ranks, double level) {
  const auto covered = std::count_if(ranks.begin(), ranks.end(), [&](double rank) { return is_central(rank, level); });
  return static_cast<double>(covered) / static_cast<double>(ranks.size());
}

double coverage_p_value(const std::vector<double>& ranks, double level) {
  const auto n = static_cast<double>(ranks.size());
  const double covered = std::round(coverage(ranks, level) * n);
  const boost::math::binomial_distribution<> law(n, level);
  const double at_most = boost::math::cdf(law, covered);
  const double at_least = covered == 0.0 ? 1.0 : boost::math::cdf(boost::math::complement(law, covered - 1.0));
  return std::min(1.0, 2.0 * std::min(at_most, at_least));
}

std::vector<Check> calibration_checks(const std::map<std::string, std::vector<double>>& ranks) {
  std::vector<Check> checks;
  for (const auto& [quantity, values] : ranks) {
    checks.push_back({quantity + ", chi-square", chi_square_p_value(values)});
    checks.push_back({quantity + ", Kolmogorov", kolmogorov_p_value(values)});
    if (!quantity.starts_with("new_run_")) continue;
    for (const double level : kCoverageLevels) {
      checks.push_back({quantity + ", coverage " + std::to_string(level), coverage_p_value(values, level)});
    }
  }
  return checks;
}

std::vector<Check> failed_checks(const std::vector<Check>& checks) {
  const double each = kFamilyWiseLevel / static_cast<double>(checks.size());
  std::vector<Check> failed;
  std::copy_if(checks.begin(), checks.end(), std::back_inserter(failed),
               [&](const Check& check) { return check.p_value < each; });
  return failed;
}

}  // namespace ta2s2::calibration
