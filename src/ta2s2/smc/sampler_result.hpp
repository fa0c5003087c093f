// What any sampler leaves behind: weighted states, a report per level, and the evidence if it can tell one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/rng/stream.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {

// Few of many weighted draws that estimate what the many did.
struct ThinnedDraws {
  std::vector<Index> kept;  // rising
  Vector weights;           // of the kept ones; sum to one
};

// `count` of the draws, none of them twice, or all that weigh anything if these are no more (Fearnhead and Clifford
// 2003). Draws heavier than c stay as they are; each other one is kept with probability w / c, by systematic
// resampling, and then weighs c, so that expected weights are the given ones. `weights` sum to one.
ThinnedDraws thin(const Vector& weights, Index count, Stream& stream);

// `count` draws of equal weight by systematic resampling: heavy ones are kept more than once.
ThinnedDraws resample(const Vector& weights, Index count, Stream& stream);

struct EvidenceEstimate {
  double log_evidence = 0.0;
  double standard_error = 0.0;
  std::vector<double> by_group = {};  // what each group of chains alone would report
};

struct SamplerResult {
  WeightedPopulation states;         // in the target's own coordinates
  Index num_draws = 0;               // what a sample of the states holds at most
  bool has_equal_draws = false;      // a sample's draws weigh the same; heavy states are in it more than once
  std::vector<LevelSummary> levels;  // in the order in which they were run; never empty
  std::optional<EvidenceEstimate> evidence = std::nullopt;
  std::vector<std::string> notices = {};  // sentences the user should see
  std::optional<PassReport> passes = std::nullopt;
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

// A few long chains on the target itself, without tempering: what plain slice sampling is.
// One chain per group, from a draw of the start density. Warm-up phases double in length, each with all that the kernel
// adapts made from the states of the one before; then everything is fixed, and only what follows is the sample:
// num_samples states of all chains together. A mode that no chain has found is not in it, and there is no evidence.
SamplerResult run_long_chains(const TargetDensity& target, const AnnealOptions& options, Execution context);

// Particle learning (Carvalho et al. 2010; Gramacy and Polson 2011 for Gaussian processes) in its correct form: the
// data arrive one after another and the particles follow the posterior (docs/math.md, section 4). It sees a sequence of
// targets and nothing else.

// The posterior given the first of the data alone. All of them have the same coordinates and the same box.
struct TargetSequence {
  std::function<std::unique_ptr<TargetDensity>(Index num_data)> given_first;
  Index first = 0;  // as many data as the first target is given
  Index last = 0;
};

// Moves per particle and datum when `chain_length` is 0.
Index default_moves(Index dim);

// num_samples particles; chain_length is the number of moves that each makes after every datum. The first target is
// annealed to, with the exact kernel; the others are moved under with the kernel that the options name.
SamplerResult learn_particles(const TargetSequence& targets, const AnnealOptions& options, Execution context);

}  // namespace ta2s2
