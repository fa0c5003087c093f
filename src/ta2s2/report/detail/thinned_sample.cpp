#include "ta2s2/report/detail/thinned_sample.hpp"

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/thinning.hpp"

namespace ta2s2::detail {

PosteriorSample thinned_sample(const FitRecord& fit, Index count, Thinning purpose) {
  const PosteriorSample& all = fit.sample;
  // Level 1: the fit's own thinning has level 0.
  Stream stream({fit.options.annealing.seed, Purpose::thinning, 1, static_cast<std::uint64_t>(purpose), 0});
  const ThinnedDraws thinned = thin(all.weights, count, stream);
  return {all.names, all.positions(Eigen::all, thinned.kept), thinned.weights, all.energies(thinned.kept)};
}

}  // namespace ta2s2::detail
