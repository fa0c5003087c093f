// The no-U-turn sampler: a few long chains that follow the gradient of H, each from its own start and with its own
// warm-up. It is fast where the posterior has one mode. It does not jump between modes that are well apart: a chain
// stays in the one that its warm-up led to, however little mass that has. Chains that disagree are the only sign of it.
#pragma once

#include <cstdint>
#include <vector>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/nuts_adaptation.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

struct NutsOptions {
  Index num_samples = 2000;  // states kept, of all chains together
  Index num_chains = 4;
  Index num_warmup = 1000;  // transitions of each chain that are not kept
  double wanted_acceptance = 0.8;
  int max_doublings = 10;
  Metric metric = Metric::dense;
  std::uint64_t seed = 1;
};

// What one chain did, after its warm-up except where it says otherwise.
struct NutsChain {
  double step = 0.0;
  double acceptance = 0.0;            // mean over transitions
  std::int64_t divergences = 0;       // transitions whose trajectory diverged
  std::int64_t longest = 0;           // transitions that reached max_doublings
  std::int64_t warmup_gradients = 0;  // evaluations of the gradient during the warm-up
  std::int64_t gradients = 0;
};

struct NutsResult {
  Population population;  // every chain is a group of its own; in the target's own coordinates
  std::vector<NutsChain> chains;

  std::int64_t gradient_evaluations() const;  // warm-up included
  std::int64_t divergences() const;
  double acceptance() const;
};

// Chain c starts from a draw of the start density and draws its step s from the stream (seed, hamiltonian, 0, c, s): no
// bit depends on the executor. In a box, chains move where it has no border (UnboundedTarget). Error{usage} if the
// target has no gradient, Error{bad_data} if no start point has a density.
NutsResult run_nuts(const DifferentiableTarget& target, const NutsOptions& options, Execution context);

// The same as other samplers' runs: one level at beta = 1, whose evaluations are those of the gradient, warm-up
// included.
SamplerResult nuts_run(const DifferentiableTarget& target, const NutsOptions& options, Execution context);

}  // namespace ta2s2
