// The posterior's modes: where they are and how much of the mass each holds. Its maximiser in z, which NLopt refines.
#pragma once

#include <vector>

#include "ta2s2/posterior.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {

// Modes, and which of them any point belongs to.
class ModePartition {
 public:
  ModePartition(std::vector<Mode> modes, ProposalMixture mixture, std::vector<Index> mode_of_component)
      : modes_(std::move(modes)), mixture_(std::move(mixture)), mode_of_component_(std::move(mode_of_component)) {}

  const std::vector<Mode>& modes() const { return modes_; }
  // For each column the number of its mode; -1 for a stray draw that belongs to none.
  std::vector<Index> modes_of(const Matrix& positions, Executor* executor = nullptr) const;

 private:
  std::vector<Mode> modes_;
  ProposalMixture mixture_;
  std::vector<Index> mode_of_component_;
};

// The sample is divided by a t mixture; two components belong to one mode if the density on the straight line between
// their refined maxima nowhere falls below the lower of the two by more than a factor of e. By falling weight.
ModePartition divide_into_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample,
                                Executor& executor);
// On one thread.
std::vector<Mode> find_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample);

// A local search inside the box from one start with a density; never worse than its start. Gradients are differences,
// so that a step asks for 2 d + 1 energies at once, which the evaluator's workers share. Where a gradient is not to be
// had, at points next to impossible ones, a search by simplices (Subplex) goes on. Throws what an evaluation throws.
MapEstimate refine(const Box& box, const Vector& start, const PointEvaluator& evaluate);
// On one thread: for a task of its own.
MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start);

}  // namespace ta2s2
