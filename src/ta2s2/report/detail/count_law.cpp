#include "ta2s2/report/detail/count_law.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace ta2s2::detail {

CountLaw::CountLaw(Index n, double probability, std::vector<Index> counts, Index num_simulated)
    : n_(n), probability_(probability), counts_(std::move(counts)), num_simulated_(num_simulated) {
  std::sort(counts_.begin(), counts_.end());
}

CountLaw CountLaw::binomial(Index n, double probability) {
  return {n, probability, {}, 0};
}

CountLaw CountLaw::simulated(Index n, std::vector<Index> counts, Index num_simulated) {
  return {n, 0.0, std::move(counts), num_simulated};
}

double CountLaw::at_most(Index count) const {
  if (counts_.empty()) {
    if (count < 0) return 0.0;
    const boost::math::binomial law(static_cast<double>(n_), probability_);
    return boost::math::cdf(law, static_cast<double>(std::min(count, n_)));
  }
  const auto is_within = [&](Index simulated) { return simulated * n_ <= count * num_simulated_; };
  const auto within = std::partition_point(counts_.begin(), counts_.end(), is_within) - counts_.begin();
  return static_cast<double>(within + 1) / static_cast<double>(counts_.size() + 1);
}

double CountLaw::at_least(Index count) const {
  if (counts_.empty()) return 1.0 - at_most(count - 1);
  const auto is_below = [&](Index simulated) { return simulated * n_ < count * num_simulated_; };
  const auto others = counts_.end() - std::partition_point(counts_.begin(), counts_.end(), is_below);
  return static_cast<double>(others + 1) / static_cast<double>(counts_.size() + 1);
}

CountBand CountLaw::band(double level) const {
  const double cut = 0.5 * (1.0 - level);
  CountBand band{0, n_};
  while (band.low < n_ && at_most(band.low) < cut) ++band.low;
  while (band.high > 0 && at_least(band.high) < cut) --band.high;
  return band;
}

CountLaw ChanceLaw::of(Index n, const PitRange& range) const {
  if (!is_simulated()) return CountLaw::binomial(n, range.probability());
  std::vector<Index> counts;
  for (Index r = 0; r < pits_.cols(); ++r) {
    counts.push_back((pits_.col(r).array() >= range.from && pits_.col(r).array() < range.to).count());
  }
  return CountLaw::simulated(n, std::move(counts), pits_.rows());
}

}  // namespace ta2s2::detail
