#include "ta2s2/workflow/describe_run.hpp"
#include "ta2s2/smc/draw_lineage.hpp"

#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/diagnose.hpp"

namespace ta2s2 {
namespace {

Vector total_energies(std::span<const Energy> energies, double offset) {
  Vector totals(static_cast<Index>(energies.size()));
  for (std::size_t i = 0; i < energies.size(); ++i) totals[static_cast<Index>(i)] = energies[i].total() + offset;
  return totals;
}

// At most `count` draws: a prediction's cost is theirs.
PosteriorSample take_sample(const WeightedPopulation& states, Index count, std::uint64_t seed,
                            const TargetDensity& target, double offset) {
  Stream stream({seed, Purpose::thinning, 0, 0, 0});
  const ThinnedDraws thinned = thin(states.weights, count, stream);
  return {target.names(), states.positions(Eigen::all, thinned.kept), thinned.weights,
          total_energies(states.energies, offset)(thinned.kept), lineage_of(states, thinned.kept)};
}

}  // namespace

Sample describe_run(SamplerResult run, const TargetDensity& target, double offset, std::uint64_t seed,
                    Executor& executor) {
  Sample described;
  described.sample = take_sample(run.states, run.num_draws, seed, target, offset);
  if (run.evidence) {
    described.evidence = {run.evidence->log_evidence, run.evidence->standard_error, true, run.evidence->by_group};
  }
  described.diagnostics = diagnose_coordinates(run.states, target.names(), *target.box(), &executor);
  count_thinning(described.diagnostics, run.states.weights, described.sample.weights);
  described.modes =
      weigh_by_group(divide_into_modes(target, *target.box(), described.sample, executor), run.states, &executor);
  for (Mode& mode : described.modes) mode.energy += offset;
  described.levels = std::move(run.levels);
  described.notices = std::move(run.notices);
  return described;
}

}  // namespace ta2s2
