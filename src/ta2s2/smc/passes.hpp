// The sampler `ta2s2` (docs/math.md, section 14). A scout, an annealed run from the start law, is trusted with nothing
// but finding the place. A reference, a t mixture, is fitted to what it found; a pass tempers from independent draws of
// the reference to the posterior in a few levels; the next reference is fitted to the pass, and so on, until the last
// two passes agree and the sample is worth what is asked.
#pragma once

#include <cstdint>
#include <limits>

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {

// Of a level of the first two passes, where there is a gradient.
inline constexpr Index kPassChains = 96, kPassChainLength = 5;

struct PassOptions {
  double wanted_draws = 400.0;          // independent draws that the sample is to be worth, in its worst coordinate
  double wanted_evidence_error = 0.25;  // of the log evidence, at most
  Index num_draws = 2000;               // that the sample holds
  bool may_hold_fewer = true;           // where there are not so many states; else some are in it more than once
  Index most_passes = 4;
  std::int64_t most_evaluations = std::numeric_limits<std::int64_t>::max();  // after which no pass begins
  Matrix starts = {};  // where modes are searched for before all else, a column each, in the target's own coordinates
  // Searches for modes from states of the scout, and about as many from its farthest ones; as many from its first
  // level.
  Index num_hunted = 400;
  std::uint64_t seed = 1;
  InstructionSet simd = best_instruction_set();
};

// Why the last two passes do not settle the matter; none if they do.
enum class PassProblem {
  evidence_differs,
  means_differ,
  sds_differ,
  energy_drifts,
  few_draws,
  sd_uncertain,
  evidence_uncertain,
  one_pass,  // there is nothing to compare it with
};
std::vector<PassProblem> problems_of(const PassReport& report);
// Fewer are a problem.
double least_effective_draws(const PassAgreement& agreement);
// A remark, no problem: tails so heavy that no sample tells the standard deviation.
bool has_heavy_tails(const PassAgreement& agreement);

// Draws of an earlier posterior that is near: where the first reference comes from, in place of a scout.
struct NearbyDraws {
  Matrix positions;  // one per column, in the target's own coordinates
  Vector weights;    // sum to one
};

SamplerResult run_passes(const TargetDensity& target, const PassOptions& options, Execution context,
                         const NearbyDraws* nearby = nullptr);

}  // namespace ta2s2
