// The posterior from the states of every level, at no further evaluation (docs/math.md, section 4).
#pragma once

#include "ta2s2/smc/anneal.hpp"

namespace ta2s2 {

// Groups stand together, in each its levels, in each of these its chains.
struct RecycledSample : WeightedPopulation {
  double log_evidence = 0.0;
};

// Deterministic mixture weights exp(-H) / sum_k N_k exp(-E0 - beta_k E1) / Z_k, with the Z_k by MBAR iterations from
// the sampler's own estimates. Points of negligible weight are left out. With the threads of
// `executor` if there is one; the bits are the same.
RecycledSample recycle(const AnnealResult& run, Executor* executor = nullptr);

}  // namespace ta2s2
