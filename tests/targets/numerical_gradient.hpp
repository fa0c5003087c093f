// Any target with a gradient from central differences. A gradient that is a little wrong costs a Hamiltonian sampler
// some acceptance and nothing else: whatever a kick is, as long as it depends on the position alone, steps are
// reversible.
#pragma once

#include <vector>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

class NumericalGradient final : public DifferentiableTarget {
 public:
  explicit NumericalGradient(const TargetDensity& target) : target_(target) {}

  Index dim() const override { return target_.dim(); }
  std::vector<std::string> names() const override { return target_.names(); }
  const Box* box() const override { return target_.box(); }
  int lanes() const override { return target_.lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return target_.make_workspace(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    target_.energies(points, workspace, out);
  }
  Vector draw_start(Stream& stream) const override { return target_.draw_start(stream); }
  StartLaw start_law() const override { return target_.start_law(); }

  Energy energy_and_gradient(VectorView point, Workspace& workspace, Vector& gradient) const override {
    constexpr double kStep = 1e-4;
    Matrix points = point.replicate(1, 2 * dim() + 1);
    for (Index d = 0; d < dim(); ++d) {
      points(d, 2 * d) += kStep;
      points(d, 2 * d + 1) -= kStep;
    }
    std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
    target_.energies(points, workspace, energies);
    gradient.resize(dim());
    for (Index d = 0; d < dim(); ++d) {
      const auto above = static_cast<std::size_t>(2 * d);
      gradient[d] = (energies[above].total() - energies[above + 1].total()) / (2.0 * kStep);
    }
    return gradient.allFinite() ? energies.back() : Energy::impossible(Impossible::not_finite);
  }

 private:
  const TargetDensity& target_;
};

}  // namespace ta2s2
