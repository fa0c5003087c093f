#include "ta2s2/smc/sampler_result.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/smc/recycling.hpp"

namespace ta2s2 {

WeightedPopulation equally_weighted(Population population) {
  const Index size = population.size();
  const auto num_chains = static_cast<std::size_t>(population.num_chains());
  return {std::move(population), Vector::Constant(size, 1.0 / static_cast<double>(size)),
          std::vector<Index>(num_chains, 0)};
}

Population in_batches(Population population) {
  std::vector<Index> chain_begin, group_begin;
  for (Index c = 0; c < population.num_chains(); ++c) {
    group_begin.push_back(static_cast<Index>(chain_begin.size()));
    const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
    const Index length = population.chain_begin[static_cast<std::size_t>(c) + 1] - begin;
    const auto num_batches = static_cast<Index>(std::cbrt(static_cast<double>(length)));
    for (Index b = 0; b < num_batches; ++b) chain_begin.push_back(begin + b * length / num_batches);
  }
  group_begin.push_back(static_cast<Index>(chain_begin.size()));
  chain_begin.push_back(population.size());
  population.chain_begin = std::move(chain_begin);
  population.group_begin = std::move(group_begin);
  population.parents.clear();
  return population;
}

SamplerResult annealed_run(AnnealResult result, bool all_levels, Index num_samples, Executor& executor) {
  SamplerResult run;
  run.states = all_levels ? recycle(result, &executor) : equally_weighted(result.final());
  run.num_draws = std::max(num_samples, result.final().size());
  run.evidence = {result.log_evidence, result.log_evidence_error, result.group_log_evidences()};
  run.levels = std::move(result.levels);
  return run;
}

}  // namespace ta2s2
