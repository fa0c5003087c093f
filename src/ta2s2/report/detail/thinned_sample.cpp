#include "ta2s2/report/detail/thinned_sample.hpp"

#include <numeric>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/thinning.hpp"

namespace ta2s2::detail {

PosteriorSample thinned_sample(const FitRecord& fit, Index count, Thinning purpose, const std::vector<Index>& order) {
  const PosteriorSample& all = fit.sample;
  std::vector<Index> line = order;
  if (line.empty()) {
    line.resize(static_cast<std::size_t>(all.size()));
    std::iota(line.begin(), line.end(), Index{0});
  }
  // Level 1: the fit's own thinning has level 0.
  Stream stream({fit.options.annealing.seed, Purpose::thinning, 1, static_cast<std::uint64_t>(purpose), 0});
  const ThinnedDraws thinned = thin(all.weights(line), count, stream);
  std::vector<Index> kept;
  for (const Index i : thinned.kept) kept.push_back(line[static_cast<std::size_t>(i)]);
  return {all.names, all.positions(Eigen::all, kept), thinned.weights, all.energies(kept)};
}

}  // namespace ta2s2::detail
