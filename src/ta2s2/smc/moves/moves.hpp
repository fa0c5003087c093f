// The moves of chains. move_list.cpp has them by name.
#pragma once

#include "ta2s2/smc/move.hpp"

namespace ta2s2 {

// c0 of the paper (after (4.9)): 2.38 / sqrt(d).
double proposal_spread(Index dim);

// x' = x + s c0 chol(Sigma) e.
ChainTask<Step> random_walk_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream);
// Random-walk Metropolis with the level's covariance.
std::unique_ptr<Move> make_random_walk_kernel();

// Elliptical slice sampling on the fitted mixture; the step says that it was `part` of its kernel.
ChainTask<Step> elliptical_slice_move(ChainState state, const LevelPlan& plan, EnergyRequest& energy, Stream& stream,
                                      int part);
// The same as a kernel of its own.
std::unique_ptr<Move> make_elliptical_kernel();

// The default kernel: a random scan of three moves, each of which leaves the tempered density invariant.
std::unique_ptr<Move> make_exact_kernel(const MoveShares& shares);

// Neal's crumbs (2003, section 5.2) with the paper's c0/k shrinkage made exact.
std::unique_ptr<Move> make_neal_kernel();

// The paper's kernel, (4.5) and (4.8)-(4.12), kept to reproduce the paper. It does NOT leave its target invariant
// (docs/paper_notes.md, note 6): use `exact`.
std::unique_ptr<Move> make_published_kernel(const PublishedOptions& options);

// Asymptotically independent Markov sampling (Beck and Zuev 2013).
std::unique_ptr<Move> make_aims_kernel();

}  // namespace ta2s2
