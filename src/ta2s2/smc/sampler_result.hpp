// What any sampler leaves behind: weighted states, a report per level, and the evidence if it can tell one.
#pragma once

#include <optional>
#include <string>

#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

struct EvidenceEstimate {
  double log_evidence = 0.0;
  double standard_error = 0.0;
  std::vector<double> by_group = {};  // what each group of chains alone would report
};

struct SamplerResult {
  WeightedPopulation states;         // in the target's own coordinates
  Index num_draws = 0;               // what a sample of the states holds at most
  std::vector<LevelSummary> levels;  // in the order in which they were run; never empty
  std::optional<EvidenceEstimate> evidence = std::nullopt;
  std::vector<std::string> notices = {};  // sentences the user should see
};

// States that weigh the same.
WeightedPopulation equally_weighted(Population population);

// Batches of one chain count as chains: their means tell how much a chain's mean is worth (Flegal and Jones 2010). They
// are longer than the usual root of the chain's length, so that slow chains do not look better than they are. A long
// chain is a group.
Population in_batches(Population population);

// From all levels' states with their weights, or from the last one's.
SamplerResult annealed_run(AnnealResult result, bool all_levels, Index num_samples, Executor& executor);

// Groups stand together, in each its levels, in each of these its chains.
struct RecycledSample : WeightedPopulation {
  double log_evidence = 0.0;
};

// The posterior from the states of every level, at no further evaluation (docs/math.md, section 4): deterministic
// mixture weights exp(-H) / sum_k N_k exp(-E0 - beta_k E1) / Z_k, with the Z_k by MBAR iterations from the sampler's
// own estimates. Points of negligible weight are left out. With the executor's threads if there is one; the same bits.
RecycledSample recycle(const AnnealResult& run, Executor* executor = nullptr);

}  // namespace ta2s2
