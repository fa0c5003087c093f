#include "ta2s2/report/detail/thinned_sample.hpp"

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/thinning.hpp"
#include "ta2s2/workflow/predict.hpp"

namespace ta2s2::detail {
namespace {

// Level 1: the fit's own thinning has level 0.
Stream stream_of(const MemberRecord& fit, Thinning purpose) {
  return Stream({fit.options.annealing.seed, Purpose::thinning, 1, static_cast<std::uint64_t>(purpose), 0});
}

}  // namespace

PosteriorSample thinned_sample(const MemberRecord& fit, Index count, Thinning purpose) {
  const PosteriorSample& all = fit.sample;
  Stream stream = stream_of(fit, purpose);
  const ThinnedDraws thinned = thin(all.weights, count, stream);
  return {all.names, all.positions(Eigen::all, thinned.kept), thinned.weights, all.energies(thinned.kept)};
}

Predictive thinned_emulator(const OutputRecord& output, Index count, Thinning purpose) {
  Stream stream = stream_of(output.members.front(), purpose);
  return make_predictive(output).thinned(count, stream);
}

}  // namespace ta2s2::detail
