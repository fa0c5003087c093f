// The posterior of (phi, nugget) as the sampler sees it: docs/math.md, sections 2 and 3.
#pragma once

#include <memory>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/gp/likelihood_engine.hpp"
#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/settings.hpp"

namespace ta2s2 {

// Runs that were known before the others, and draws from the posterior that they alone give.
struct KnownRuns {
  Index count = 0;
  Matrix draws;    // one per column
  Vector weights;  // sum to one
};

class GpTarget final : public DifferentiableTarget {
 public:
  // `nugget` is null when the nugget is fixed or the length-scales' prior covers it. The space's normal coordinates
  // have their own prior. Error{usage} if the prior path is asked of a prior that is not proper, or the priors do not
  // fit the space.
  GpTarget(std::shared_ptr<const GpModel> model, ParameterSpace space, std::shared_ptr<const Prior> length_scales,
           std::shared_ptr<const Prior> nugget, TemperingStart path, InstructionSet simd = best_instruction_set());

  Index dim() const override { return space_.dim(); }
  std::vector<std::string> names() const override { return space_.names(); }
  const Box* box() const override { return &box_; }
  int lanes() const override { return engine_->lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override;
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override;
  StartLaw start_law() const override;

  // The posterior of the first runs alone: the same space and priors.
  GpTarget given_first(Index num_runs) const;
  // The same posterior, approached from that of its first runs: E0 is H given these alone, not normalised, and E1 is
  // what the other runs add: minus the logarithm of their predictive density, and of the priors' ratio where the prior
  // depends on the design. The evidence of a tempered run is then the ratio of the two evidences.
  GpTarget continuing(KnownRuns known) const;

  // The prior without the likelihood, as far as it is known: its evidence is the prior's constant. On the posterior
  // path; without a gradient.
  GpTarget prior_alone() const;

  // Not under a reference prior, whose information has no derivative here, nor under a user's function, nor of a
  // posterior that continues another.
  bool has_gradient() const override;
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;
  void energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                              Eigen::Ref<Matrix> gradients) const override;

  const std::shared_ptr<const GpModel>& model() const { return model_; }
  const ParameterSpace& space() const { return space_; }
  TemperingStart path() const { return path_; }
  InformationOver information() const { return length_scales_->needs_information(); }

  // Whether the evidence is that of a normalised prior; else it lacks that of prior_alone().
  bool log_prior_is_normalised() const;
  // Standard error of the prior's normaliser, to be added in quadrature to that of the log evidence.
  double log_evidence_offset_error() const;

 private:
  struct GpWorkspace;

  GpTarget(const GpTarget& other, std::shared_ptr<const GpModel> model, KnownRuns known);

  void check() const;
  std::size_t choose_points(MatrixView points, GpWorkspace& workspace, std::span<Energy> out) const;
  void evaluate_block(MatrixView points, GpWorkspace& workspace, std::span<Energy> out) const;
  void differentiate_block(MatrixView points, GpWorkspace& workspace, std::span<Energy> out,
                           Eigen::Ref<Matrix> gradients) const;
  double log_prior_without_information(VectorView z) const;
  void fill_gradient(VectorView z, const LikelihoodGradient& of_likelihood, GpWorkspace& workspace,
                     Eigen::Ref<Vector> gradient) const;
  Energy energy_of(const PointLikelihood& found, double log_prior, VectorView z) const;
  Energy split(double log_likelihood, double log_prior) const;

  std::shared_ptr<const GpModel> model_;
  ParameterSpace space_;
  Box box_;
  std::shared_ptr<const Prior> length_scales_;
  std::shared_ptr<const Prior> nugget_;
  std::shared_ptr<const Prior> normal_;  // null if there are no such coordinates
  TemperingStart path_;
  double log_volume_;
  InstructionSet simd_;
  KnownRuns known_;  // none, unless this continues another posterior
  bool has_likelihood_ = true;
  std::shared_ptr<const LikelihoodEngine> engine_;
};

}  // namespace ta2s2
