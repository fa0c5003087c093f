// A seeded bug for tests of motions between walls.
#pragma once

#include <cmath>

#include "ta2s2/sample.hpp"

namespace ta2s2::test {

// As drift_between_walls, but wall k turns p_k about and nothing else, as a metric without correlations would have it.
// Reversible and of constant |p| wherever it can be followed; volumes change by the ratio of the speeds before and
// after.
inline bool flipping_drift(Vector& z, Vector& p, const Matrix& factor, double time, const Box& walls) {
  for (int hits = 0; hits < 1000; ++hits) {
    const Vector velocity = factor.triangularView<Eigen::Lower>() * p;
    double first = time;
    Index hit = -1;
    for (Index k = 0; k < z.size(); ++k) {
      const double to_wall = ((velocity[k] < 0.0 ? walls.low[k] : walls.high[k]) - z[k]) / velocity[k];
      if (!(to_wall < first)) continue;
      first = std::max(to_wall, 0.0);
      hit = k;
    }
    z = Vector(z + first * velocity).cwiseMax(walls.low).cwiseMin(walls.high);
    if (hit < 0) return z.allFinite();
    time -= first;
    p[hit] = -p[hit];
  }
  return false;
}

}  // namespace ta2s2::test
