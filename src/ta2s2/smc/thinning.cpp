#include "ta2s2/smc/thinning.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "ta2s2/smc/growth.hpp"

namespace ta2s2 {
namespace {

// c with sum min(w / c, 1) = count: the k heaviest stay, and c = (what the others weigh) / (count - k).
double threshold(const Vector& weights, Index count) {
  std::vector<double> falling(weights.begin(), weights.end());
  std::sort(falling.begin(), falling.end(), std::greater<>());
  // Summed from the lightest: what is left of one after subtracting the heavy is rounding, where the light weigh 1e-17.
  std::vector<double> others(falling.size());
  std::partial_sum(falling.rbegin(), falling.rend(), others.rbegin());
  others[0] = weights.sum();  // without rounding where all weigh the same
  std::size_t k = 0;
  const auto places = [&] { return static_cast<double>(count) - static_cast<double>(k); };
  while (places() > 1.0 && falling[k] * places() > others[k]) ++k;
  return others[k] / places();
}

}  // namespace

ThinnedDraws thin(const Vector& weights, Index count, Stream& stream) {
  ThinnedDraws thinned;
  if (weights.size() <= count) {
    thinned.kept.resize(static_cast<std::size_t>(weights.size()));
    std::iota(thinned.kept.begin(), thinned.kept.end(), Index{0});
    thinned.weights = weights;
    return thinned;
  }
  const double c = threshold(weights, count);
  std::vector<Index> light;
  for (Index i = 0; i < weights.size(); ++i) (weights[i] > c ? thinned.kept : light).push_back(i);
  const Vector light_weights = weights(light);
  const Index num_light = light_weights.sum() > 0.0 ? count - static_cast<Index>(thinned.kept.size()) : 0;
  for (const Index i : systematic_resample(light_weights / light_weights.sum(), num_light, stream)) {
    thinned.kept.push_back(light[static_cast<std::size_t>(i)]);
  }
  std::sort(thinned.kept.begin(), thinned.kept.end());
  thinned.weights = weights(thinned.kept).cwiseMax(c);
  thinned.weights /= thinned.weights.sum();
  return thinned;
}

}  // namespace ta2s2
