// The sampler: tempered levels from the start density to the target. It sees a TargetDensity and nothing else.
#pragma once

#include <memory>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/settings.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/smc/growth.hpp"
#include "ta2s2/smc/move.hpp"
#include "ta2s2/smc/population.hpp"

namespace ta2s2 {

// Told of every level; cannot change the run, only end it.
class Observer {
 public:
  enum class Verdict { go_on, stop };

  virtual ~Observer() = default;
  virtual Verdict on_level(const LevelSummary&) { return Verdict::go_on; }
};

struct AnnealOptions {
  Index num_samples = 2000;  // N
  double ess_target = 0.5;   // gamma of (4.14)
  Growth growth = Growth::equal;
  Index chain_length = 0;  // P of equal growth; 0 chooses by dimension
  Index num_groups = 4;    // of chains that share no ancestor
  MoveOptions kernel;
  Coordinates coordinates = Coordinates::unbounded;
  std::uint64_t seed = 1;
  // Go on past beta = 1 towards zero temperature, for global optimisation, until the sd of H has fallen to
  // `cooling_threshold` (alpha) of its value at beta = 1.
  bool anneal_to_zero = false;
  double cooling_threshold = 0.1;
  InstructionSet simd = best_instruction_set();  // of the sampler's own sums
};

struct Execution {
  Executor& executor;
  Observer& observer;
};

struct AnnealResult {
  std::vector<std::shared_ptr<const Population>> populations;  // one per level, the last one is the answer
  std::vector<LevelSummary> levels;
  double log_evidence = 0.0;
  double log_evidence_error = 0.0;

  // What each group alone would report.
  std::vector<double> group_log_evidences() const;
  const Population& final() const { return *populations.back(); }
  std::int64_t evaluations() const;
};

AnnealResult anneal(const TargetDensity& target, const AnnealOptions& options, Execution context);

// Draws that stand for the start density, in the target's own coordinates. States of one chain may resemble each other:
// errors are told by chains.
struct StartStates {
  Matrix positions;                             // (d, N), equally weighted
  std::vector<Index> chain_begin, group_begin;  // as Population's
};

// The same, with level 0 as it is given.
AnnealResult anneal_from(const StartStates& start, const TargetDensity& target, const AnnealOptions& options,
                         Execution context);

}  // namespace ta2s2
