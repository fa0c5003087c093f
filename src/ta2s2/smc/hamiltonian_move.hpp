// Moves that follow the gradient (docs/math.md, section 14): Hamiltonian trajectories in a dense metric that bounce off
// walls, radial moves, and maps between the components of a reference.
#pragma once

#include "ta2s2/smc/move.hpp"
#include "ta2s2/smc/reference.hpp"

namespace ta2s2 {

// z += time C p between walls: at wall k the velocity v = C p turns to v - 2 v_k (C C')_k. / (C C')_kk, which leaves
// p'p as it was, at the very time of the hit; so the motion is reversible and keeps volumes. False if there are too
// many hits to follow.
bool drift_between_walls(Vector& z, Vector& p, const Matrix& factor, double time, const Box& walls);

// One step is a trajectory, then perhaps a radial move, then perhaps a map between components: each leaves the level
// invariant, and which of them come is the plan's choice for all chains.
class HamiltonianMove : public Move {
 public:
  // Both must outlive this. Without a reference there is no map between components.
  HamiltonianMove(const PathTarget& path, const Reference* reference) : path_(path), reference_(reference) {}

  std::string name() const override { return "hamiltonian"; }
  ChainTask<Step> move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const override;

  // The share of the plan's step that a chain takes: the first number that a move draws from its stream.
  static double draw_step_share(const HamiltonianPlan& plan, Stream& stream);

 protected:
  // Apart, so that tests can break them.
  virtual bool drift(Vector& z, Vector& p, const Matrix& factor, double time) const {
    return drift_between_walls(z, p, factor, time, path_.walls());
  }
  virtual double last_kick() const { return 0.5; }  // of a step
  // Of the volumes at both ends of a radial move by e^s.
  virtual double log_radial_ratio(double s, Index dim) const { return s * static_cast<double>(dim); }
  // Of the volumes of the components, and of the chances to go there and back.
  virtual double log_map_ratio(const TComponent& from, const TComponent& to, double share_here,
                               double share_there) const;

  const PathTarget& path_;
  const Reference* reference_;

 private:
  ChainTask<Step> trajectory(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const;
  ChainTask<Step> radial(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream) const;
  ChainTask<Step> between_components(ChainState state, const LevelPlan& plan, EnergyRequest& energy,
                                     Stream& stream) const;
  // Of E0 + beta E1, from the gradient of H.
  Vector level_gradient(const ChainState& state, double beta) const;
};

}  // namespace ta2s2
