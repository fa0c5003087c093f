// A target in the coordinates where the sampler `ta2s2` moves, and the start density from which it is tempered there.
#pragma once

#include "ta2s2/sample.hpp"

namespace ta2s2 {

// A start density and a posterior in the same coordinates. Level beta has energy E0 + beta E1 as of every target; here
// the gradient of E0 is known too, so that the gradient of any level is.
class PathTarget : public DifferentiableTarget {
 public:
  // E0 of a point between the walls; its gradient to `gradient`.
  virtual double start_energy(VectorView z, Vector& gradient) const = 0;
  // Infinite where there are none. Beyond them every point is impossible.
  virtual const Box& walls() const = 0;
};

// A coordinate is linear (z = x, between the walls of the box) or a score: z = Phi^-1(F(x)), where F is the
// distribution function of the start law, so that the start density of z is N(0, 1) and there are no walls. Linear
// coordinates suit peaks far from the walls, scores what leans on one.
class SamplingSpace final : public PathTarget {
 public:
  // `target` must have a start law and outlive this.
  SamplingSpace(const TargetDensity& target, std::vector<bool> is_linear);

  Index dim() const override { return law_.low.size(); }
  std::vector<std::string> names() const override { return target_.names(); }
  int lanes() const override { return target_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override;
  // E0 is minus the logarithm of the start density of z, and E1 = H(x) + log p_0(x) is the same in all coordinates.
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override;
  bool has_gradient() const override { return differentiable_ != nullptr; }
  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override;
  void energies_and_gradients(MatrixView points, Workspace& workspace, std::span<Energy> out,
                              Eigen::Ref<Matrix> gradients) const override;
  double start_energy(VectorView z, Vector& gradient) const override;
  const Box& walls() const override { return walls_; }

  bool is_linear(Index k) const { return is_linear_[static_cast<std::size_t>(k)]; }
  const StartLaw& law() const { return law_; }
  // A length that matters along each coordinate: a quarter of the box, or 1 for a score.
  const Vector& scales() const { return scales_; }

  Matrix to_box(const Matrix& z) const;    // of its columns
  Matrix from_box(const Matrix& x) const;  // the other way round
  // dx / dz along each coordinate.
  Vector slopes(VectorView z) const;
  // The energy of the same point in the target's own coordinates, up to rounding.
  Energy in_box(const Energy& energy, VectorView z) const;

 private:
  struct InnerWorkspace;
  struct CoordinatePoint {
    double x, slope;  // dx / dz
  };
  CoordinatePoint at(Index k, double z) const;
  double score(Index k, double x) const;
  double start_energy(VectorView z) const;
  // -log p_0 of coordinate k in the target's own coordinates.
  double law_energy(Index k, double x) const;
  void enter(MatrixView points, InnerWorkspace& workspace) const;
  Energy left(const Energy& of_target, VectorView z, VectorView x) const;

  const TargetDensity& target_;
  const DifferentiableTarget* differentiable_;  // the same, or null
  StartLaw law_;
  std::vector<bool> is_linear_;
  Box walls_;
  Vector scales_;
  Vector law_constants_;  // -log of the density at the lower bound
};

}  // namespace ta2s2
