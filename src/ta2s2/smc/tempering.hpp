// One run of tempered levels from a start density to a target, with moves that follow the gradient if there is one
// (docs/math.md, section 14). The scout and every pass of the sampler `ta2s2` are such runs.
#pragma once

#include <optional>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/reference.hpp"

namespace ta2s2 {

// The shape that trajectories are measured by: where it is frozen nothing of it depends on the run itself.
struct RunMetric {
  Vector centre;
  Matrix factor;  // lower triangular
};

struct TemperingOptions {
  Index num_start = 1000;    // draws of the start density
  Index num_chains = 96;     // of a level
  Index chain_length = 5;    // of a level
  double ess_target = 0.7;   // as in EssSchedule
  double path_length = 1.3;  // of a trajectory, where the target is about round
  int most_leapfrogs = 12;
  double first_step = 0.7;                         // of a leapfrog; each level tunes it
  std::optional<RunMetric> metric = std::nullopt;  // without one each level takes the shape of its own states
  // The last level's chains grow until the weighted states of all levels are worth so many draws; 0: they do not.
  double wanted_draws = 0.0;
  Index longest_chain = 40;
  std::uint64_t seed = 1;
  std::string stage = {};  // its name in summaries
  Index first_level = 0;   // its number in the names of streams
  InstructionSet simd = best_instruction_set();
};

struct TemperingResult : AnnealResult {
  double step = 0.7;   // of a leapfrog, as the last level had it
  double drift = 0.0;  // of the energy along chains, over all levels, in its standard errors
};

// `reference`: what the path starts from, for maps between components; null if it starts from something else. In a box
// `space` is the path's own.
TemperingResult temper(const PathTarget& path, const Reference* reference, const TemperingOptions& options,
                       Execution context);

// What weighted states of all levels are worth, by lineages: states that descend from one draw of the start density.
// Chains as units would overstate it, since chains of later levels have common ancestors.
struct LineageMoments {
  Vector mean, sd;
  Vector mean_error, log_sd_error;  // standard errors

  // Of the mean, in the worst coordinate.
  double effective_sample_size() const { return (sd.array() / mean_error.array().max(1e-300)).square().minCoeff(); }
};
// Of every state, the draw of the start density from which it descends.
std::vector<Index> lineage_roots(const WeightedPopulation& states);
// Rows of `values` are coordinates, columns states.
LineageMoments lineage_moments(const Matrix& values, const Vector& weights, const std::vector<Index>& roots);

}  // namespace ta2s2
