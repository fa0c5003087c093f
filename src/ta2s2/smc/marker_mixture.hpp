// Weighted markers as a proposal: AIMS (Beck and Zuev 2013; docs/math.md, section 4).
#pragma once

#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/population.hpp"

namespace ta2s2 {

struct Marker {
  Vector position;
  double weight = 0.0;
  double energy = 0.0;  // at the level's beta
};

// From marker i, chosen by its weight, a local step to x ~ N(m_i, spread^2 L L'), taken with probability
// min(1, p(x) / p(m_i)).
class MarkerMixture {
 public:
  MarkerMixture() = default;
  // `factor` is L. Weights need not sum to one.
  MarkerMixture(const std::vector<Marker>& markers, const Matrix& factor, double spread);

  double spread() const { return spread_; }
  Index draw_marker(Stream& stream) const;
  VectorView position(Index marker) const { return positions_.col(marker); }
  double energy(Index marker) const { return energies_[marker]; }

  // log of sum_i w_i N(x; m_i, spread^2 L L') min(1, p(x) / p(m_i)), where p(x) = exp(-energy), up to a constant: the
  // density with which a step arrives at x.
  double log_density(const Vector& x, double energy) const;

 private:
  Matrix positions_;  // (d, markers)
  Matrix whitened_;   // (markers, d): distances to all markers grow one coordinate after another
  Matrix factor_;
  double spread_ = 1.0;
  Eigen::ArrayXd energies_, log_weights_;
  std::vector<double> cumulative_;  // of the weights
};

}  // namespace ta2s2
