// Grows a level's chains, a block of them at a time, on whatever executor there is.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/smc/level_report.hpp"
#include "ta2s2/smc/move_kernel.hpp"

namespace ta2s2 {

struct LevelMoves {
  Population population;
  std::vector<PartTally> parts;
  std::array<std::int64_t, kNumImpossible> impossible{};
  std::int64_t evaluations = 0;
};

// A level's tasks, chosen without looking at the number of workers. A block's worth of chains, or several where there
// are many: a lane whose chain has ended then takes the next one, and still there are tasks enough to keep the workers
// busy.
Index chains_per_task(Index num_chains, Index lanes);
// Tasks of points that are evaluated once: level 0's.
inline Index points_per_task(Index lanes) {
  return 8 * lanes;
}

// Level 0: num_points independent draws from the target's start density, each a chain of one state.
LevelMoves draw_start_points(const TargetDensity& target, Index num_points, std::uint64_t seed, Executor& executor,
                             Index num_groups = 1);

// The energies of given points, columns of `points`.
std::vector<Energy> energies_of(const TargetDensity& target, const Matrix& points, Executor& executor);

// Every state after a move is kept; the start is not. Chain c, step s of level k draws from the stream
// (seed, move, k, c, s), so nothing depends on which chains share a block or a thread.
LevelMoves grow_chains(const TargetDensity& target, const MoveKernel& kernel, const LevelPlan& plan, std::uint64_t seed,
                       Executor& executor);

}  // namespace ta2s2
