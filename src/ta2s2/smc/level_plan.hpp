// Everything the chains of one level need, fixed before the level begins: given the plan, each move is a fixed Markov
// kernel on one chain.
#pragma once

#include <memory>
#include <vector>

#include "ta2s2/smc/growth.hpp"
#include "ta2s2/smc/marker_mixture.hpp"
#include "ta2s2/smc/population.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {

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

  Index dim() const { return covariance_factor.rows(); }
};

}  // namespace ta2s2
