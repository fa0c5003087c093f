// Grows a level's chains, a block of them at a time, on whatever executor there is.
#pragma once

#include "ta2s2/exec/payload_reader.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

struct LevelMoves {
  Population population;
  std::vector<PartTally> parts;
  std::array<std::int64_t, kNumImpossible> impossible{};
  std::int64_t evaluations = 0;
  std::int64_t gradients = 0;        // of these, evaluations with a gradient
  std::vector<double> acceptance{};  // of each chain: the mean of Step::acceptance
};

// How a level's chains are divided into tasks, without looking at the number of workers: at least a block's worth of
// chains in each, evenly, and 2^k or 3 2^k tasks, which most numbers of workers divide into even shares.
Index num_chain_tasks(Index num_chains, Index lanes);
// Of independent points: several blocks, or one point where a target evaluates them one at a time, which takes long.
Index points_per_task(Index lanes);

// Level 0: num_points independent draws from the target's start density, each a chain of one state.
LevelMoves draw_start_points(const TargetDensity& target, Index num_points, std::uint64_t seed, Executor& executor,
                             Index num_groups = 1);

// Energies of given points, with scratch memory that is kept from one call to the next.
class PointEvaluator {
 public:
  PointEvaluator(const TargetDensity& target, Executor& executor);
  std::vector<Energy> operator()(const Matrix& points) const;  // of its columns

 private:
  const TargetDensity& target_;
  Executor& executor_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // one per worker
};
std::vector<Energy> energies_of(const TargetDensity& target, const Matrix& points, Executor& executor);

// Energies and gradients of H of many points; `target` must have gradients.
struct PointGradients {
  std::vector<Energy> energies;
  Matrix gradients;  // (d, points)
};
PointGradients gradients_of(const DifferentiableTarget& target, const Matrix& points, Executor& executor);

// An energy as three numbers of a payload: start, tempered, reason.
Energy read_energy(PayloadReader& reader);

// Scratch memory for each worker of an executor.
std::vector<std::unique_ptr<Workspace>> make_workspaces(const TargetDensity& target, const Executor& executor);

// Every state after a move is kept; the start is not. Chain c, step s of level k draws from the stream
// (seed, move, k, c, s), so nothing depends on which chains share a block or a thread.
LevelMoves grow_chains(const TargetDensity& target, const Move& kernel, const LevelPlan& plan, std::uint64_t seed,
                       Executor& executor);

}  // namespace ta2s2
