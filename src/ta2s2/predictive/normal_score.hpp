// Normal scores of probabilities, from the smaller tail so that both ends keep their digits.
#pragma once

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace ta2s2 {

// Probabilities are told apart to 1e-40, as far as student_table.hpp does.
inline constexpr double kFarthestScore = 13.3;

inline double normal_tail(double z) {  // P(Z > z)
  return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

// The z with P(Z > z) = probability, held at kFarthestScore.
inline double score_of_tail(double probability) {
  using boost::math::policies::policy, boost::math::policies::promote_double;
  if (probability <= 1e-40) return kFarthestScore;
  if (probability >= 1.0) return -kFarthestScore;
  return std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * probability, policy<promote_double<false>>());
}

inline double normal_score(double u) {  // the z with P(Z < z) = u
  return u <= 0.5 ? -score_of_tail(u) : score_of_tail(1.0 - u);
}

}  // namespace ta2s2
