// A normalised density that was fitted to what an earlier run found, to temper from (docs/math.md, section 14).
#pragma once

#include "ta2s2/smc/path_target.hpp"
#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {

// q = (1 - share) t mixture + share of the start density, which reaches whatever the mixture does not.
class Reference {
 public:
  // `space` must outlive this.
  Reference(ProposalMixture mixture, double start_share, const SamplingSpace& space);

  const ProposalMixture& mixture() const { return mixture_; }
  double start_share() const { return start_share_; }
  const SamplingSpace& space() const { return *space_; }

  // -log q.
  double energy(VectorView z) const;
  double energy(VectorView z, Vector& gradient) const;
  Vector draw(Stream& stream) const;

  // Mean, and the covariance within components, of the mixture.
  Vector mean() const;
  Matrix within_covariance() const;

 private:
  bool is_between_walls(VectorView z) const;

  ProposalMixture mixture_;
  std::vector<Matrix> precisions_;  // S_c^-1
  double start_share_;
  const SamplingSpace* space_;
};

// From the reference to the posterior: E0 = -log q, E1 = H - E0. The reference is not cut off at the walls; what it
// draws beyond them is impossible and counts as such.
class ReferencePath final : public PathTarget {
 public:
  // `reference` must outlive this.
  explicit ReferencePath(const Reference& reference) : reference_(reference), space_(reference.space()) {}

  Index dim() const override { return space_.dim(); }
  std::vector<std::string> names() const override { return space_.names(); }
  int lanes() const override { return space_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return space_.make_workspace(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override { return reference_.draw(stream); }
  bool has_gradient() const override { return space_.has_gradient(); }
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;
  void energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                              Eigen::Ref<Matrix> gradients) const override;
  double start_energy(VectorView z, Vector& gradient) const override { return reference_.energy(z, gradient); }
  const Box& walls() const override { return space_.walls(); }

 private:
  Energy from_reference(const Energy& of_space, VectorView z) const;

  const Reference& reference_;
  const SamplingSpace& space_;
};

}  // namespace ta2s2
