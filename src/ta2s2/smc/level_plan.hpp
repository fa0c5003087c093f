// All of a level's adaptation, done before the level begins (docs/math.md, section 4): given the plan, each move is a
// fixed Markov kernel on one chain.
#pragma once

#include <memory>
#include <vector>

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/posterior.hpp"
#include "ta2s2/smc/growth.hpp"
#include "ta2s2/smc/population.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"
#include "ta2s2/smc/schedule.hpp"

namespace ta2s2 {

class Move;
struct AnnealOptions;

// What all chains of a level do at one step, so that they ask for the same at the same time and blocks stay full.
struct StepChoice {
  int num_leapfrogs = 1;
  bool is_radial = false;        // a radial move follows
  bool maps_components = false;  // a map between components of the reference follows
};

// Of the moves with a gradient.
struct HamiltonianPlan {
  double step = 0.0;                           // of a leapfrog, where the target is about round
  double least_share = 0.6, most_share = 1.1;  // a chain's own step is this much of it, drawn anew at every move
  Vector centre;                               // of radial moves
  std::vector<StepChoice> choices;             // one for each move of a chain
};

// Everything that the chains of one level need.
struct LevelPlan {
  Index level = 0;
  double beta = 1.0;         // inverse temperature 1 / tau_k
  Matrix covariance_factor;  // lower Cholesky factor of Sigma_k, the weighted covariance of the markers
  double walk_scale = 1.0;   // s, of the random walk
  ProposalMixture mixture;   // q; empty unless the kernel asks for it
  std::shared_ptr<const Population> markers;  // the previous level's points
  std::vector<Index> markers_by_energy;       // their indices, by energy at beta; only if the kernel asks for it
  MarkerMixture marker_mixture;               // the same, by weight; only if the kernel asks for it
  ChainPlan chains;
  HamiltonianPlan hamiltonian = {};  // only for the moves with a gradient
  Index first_move = 0;              // that a chain makes; more than 0 where it is longer than was first planned

  Index dim() const { return covariance_factor.rows(); }
};

struct LevelStart {
  Index level;
  double beta;
  double walk_scale;
  ProposalMixture mixture = {};  // of the level before, from which the fit begins; empty if there was none
};

// With the threads of `executor` if there is one; the plan does not depend on them.
LevelPlan plan_level(const LevelStart& start, std::shared_ptr<const Population> markers, const LogWeights& weights,
                     const Move& kernel, const AnnealOptions& options, Executor* executor = nullptr);

// For AIMS: the markers with weight, each with local steps of c0 n^(-1/(d+4)) times the level's spread, n their
// effective number. That is the rate of a kernel estimate: with more markers the proposal comes closer to the density
// itself.
MarkerMixture mix_markers(const Population& markers, const Vector& weights, const Matrix& factor, double beta);

// The random walk's scale for the next level, from its acceptance in this one.
double adapt_walk_scale(double scale, double acceptance, Index dim);
// The same from what the kernel's parts did; as it was if none of them is a walk.
double adapt_walk_scale(double scale, const Move& kernel, const std::vector<PartTally>& parts, Index dim);

// One plan for all processes of a run. Each makes it from the same numbers, but processors of different models may
// differ in a last digit and so, some level later, in a decision. So the first process's temperature, covariance,
// mixture, starts and lengths are everyone's. What AIMS mixes is left as it was made: it decides nothing by itself.
LevelPlan agreed_plan(LevelPlan plan, Executor& executor);

}  // namespace ta2s2
