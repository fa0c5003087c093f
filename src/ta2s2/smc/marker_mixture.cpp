#include "ta2s2/smc/marker_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

MarkerMixture::MarkerMixture(const std::vector<Marker>& markers, const Matrix& factor, double spread)
    : factor_(factor), spread_(spread) {
  const auto count = static_cast<Index>(markers.size());
  positions_.resize(factor.rows(), count);
  energies_.resize(count);
  log_weights_.resize(count);
  double sum = 0.0;
  for (Index i = 0; i < count; ++i) {
    const Marker& marker = markers[static_cast<std::size_t>(i)];
    positions_.col(i) = marker.position;
    energies_[i] = marker.energy;
    log_weights_[i] = std::log(marker.weight);
    cumulative_.push_back(sum += marker.weight);
  }
  whitened_ = (factor_.triangularView<Eigen::Lower>().solve(positions_) / spread_).transpose();
}

Index MarkerMixture::draw_marker(Stream& stream) const {
  const double u = draw_uniform(stream) * cumulative_.back();
  return std::lower_bound(cumulative_.begin(), cumulative_.end(), u) - cumulative_.begin();
}

double MarkerMixture::log_density(const Vector& x, double energy) const {
  const Vector point = factor_.triangularView<Eigen::Lower>().solve(x) / spread_;
  Eigen::ArrayXd terms = log_weights_ - (energy - energies_).max(0.0);
  for (Index d = 0; d < point.size(); ++d) terms -= 0.5 * (whitened_.col(d).array() - point[d]).square();
  const double largest = terms.maxCoeff();
  constexpr double kNegligible = 40.0;  // beyond, a term is lost in the sum's rounding
  double sum = 0.0;
  for (const double term : terms) {
    if (term > largest - kNegligible) sum += std::exp(term - largest);
  }
  return largest + std::log(sum);
}

}  // namespace ta2s2
