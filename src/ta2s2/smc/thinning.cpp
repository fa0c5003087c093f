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
  double others = weights.sum();
  Index k = 0;
  while (k + 1 < count && falling[static_cast<std::size_t>(k)] * static_cast<double>(count - k) > others) {
    others -= falling[static_cast<std::size_t>(k++)];
  }
  return others / static_cast<double>(count - k);
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
  const Index num_light = count - static_cast<Index>(thinned.kept.size());
  for (const Index i : systematic_resample(light_weights / light_weights.sum(), num_light, stream)) {
    thinned.kept.push_back(light[static_cast<std::size_t>(i)]);
  }
  std::sort(thinned.kept.begin(), thinned.kept.end());
  thinned.weights = weights(thinned.kept).cwiseMax(c);
  thinned.weights /= thinned.weights.sum();
  return thinned;
}

}  // namespace ta2s2
