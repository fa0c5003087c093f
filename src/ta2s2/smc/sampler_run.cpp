#include "ta2s2/smc/sampler_run.hpp"

#include <algorithm>

#include "ta2s2/smc/recycling.hpp"

namespace ta2s2 {

WeightedPopulation equally_weighted(Population population) {
  const Index size = population.size();
  const auto num_chains = static_cast<std::size_t>(population.num_chains());
  return {std::move(population), Vector::Constant(size, 1.0 / static_cast<double>(size)),
          std::vector<Index>(num_chains, 0)};
}

SamplerRun annealed_run(AnnealResult result, bool all_levels, Index num_samples) {
  SamplerRun run;
  run.states = all_levels ? recycle(result) : equally_weighted(result.final());
  run.num_draws = std::max(num_samples, result.final().size());
  run.evidence = {result.log_evidence, result.log_evidence_error, result.group_log_evidences()};
  run.levels = std::move(result.levels);
  return run;
}

}  // namespace ta2s2
