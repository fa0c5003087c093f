// Particle learning (Carvalho et al. 2010; Gramacy and Polson 2011 for Gaussian processes) in its correct form: the
// data arrive one after another and the particles follow the posterior (docs/math.md, section 4). It sees a sequence of
// targets and nothing else.
#pragma once

#include <functional>

#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

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
