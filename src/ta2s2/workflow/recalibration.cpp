#include "ta2s2/workflow/recalibration.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "ta2s2/base/text.hpp"

namespace ta2s2 {
namespace {

using Rule = RecalibrationRule;

// Phi^-1(u), no farther from zero than Rule::farthest_score.
double normal_score(double u) {
  const double farthest = 0.5 * std::erfc(Rule::farthest_score / std::numbers::sqrt2);
  const double inside = std::clamp(u, farthest, 1.0 - farthest);
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * inside);
}

}  // namespace

double find_recalibration(const Vector& pit) {
  double sum = Rule::pseudo_runs, count = Rule::pseudo_runs;
  for (const double u : pit) {
    if (std::isnan(u)) continue;
    sum += std::pow(normal_score(u), 2);
    count += 1.0;
  }
  return std::clamp(std::sqrt(sum / count), Rule::least, Rule::most);
}

std::string recalibration_text(double kappa) {
  if (kappa == 1.0) return "intervals as the models say: left-out runs do not ask for wider ones";
  return "intervals widened by " + format_fixed(kappa, 2) + " to match left-out runs";
}

}  // namespace ta2s2
