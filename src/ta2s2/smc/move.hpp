// One Markov move on one chain at one temperature. Knows nothing of other chains, of threads, of who shares its block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ta2s2/smc/chain_task.hpp"
#include "ta2s2/smc/level_plan.hpp"

namespace ta2s2 {

struct ChainState {
  Vector position;
  Energy energy;
};

// Where a move ended. A kernel that mixes several moves says which one it was, by index into part_names().
struct Step {
  ChainState state;
  int part = 0;
  bool moved = false;
};

class Move {
 public:
  virtual ~Move() = default;

  virtual std::string name() const = 0;
  virtual std::vector<std::string> part_names() const { return {name()}; }
  // True if the tempered density is left invariant. `published` says no: it is kept to reproduce the paper.
  virtual bool is_exact() const { return true; }

  // True of a kernel that must move in the target's own coordinates.
  virtual bool keeps_to_the_box() const { return false; }

  // What the plan must hold for this kernel.
  virtual bool needs_mixture() const { return false; }
  virtual bool needs_markers() const { return false; }
  virtual bool needs_marker_mixture() const { return false; }
  // Index of the part whose acceptance steers walk_scale between levels, or -1.
  virtual int walk_part() const { return -1; }

  // Draws from `stream` only. The plan, the request and the stream outlive the task.
  virtual ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                               Stream& stream) const = 0;
};

// Chances of the exact kernel's three moves; they sum to one. The mixture's moves go farthest for an evaluation; the
// walk frees a chain from where the mixture has hardly any density (docs/exactness.md has the measurements).
struct MoveShares {
  double walk = 0.2;
  double independence = 0.4;
  double slice = 0.4;
};

struct MoveOptions {
  std::string name = "exact";
  PublishedOptions published;
  MoveShares shares;
};

// moves/move_list.cpp.
std::vector<std::string> move_names();
std::unique_ptr<Move> make_move(const MoveOptions& options);

}  // namespace ta2s2
