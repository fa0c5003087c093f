// Any log density on a box, as a target: what a C++ user needs to sample a function of their own.
#pragma once

#include <functional>

#include "ta2s2/base/target_density.hpp"

namespace ta2s2 {

class FunctionTarget final : public TargetDensity {
 public:
  using LogDensity = std::function<double(VectorView)>;

  // `log_density` need not be normalised; it is called from several threads at once. A result that
  // is not finite counts as impossible. The start density is uniform on the box, and the evidence is the integral over
  // the box.
  FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names = {});

  Index dim() const override { return box_.low.size(); }
  const Box* box() const override { return &box_; }
  std::vector<std::string> names() const override { return names_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override;

 private:
  Energy energy(VectorView point) const;

  LogDensity log_density_;
  Box box_;
  std::vector<std::string> names_;
  double log_volume_;
};

}  // namespace ta2s2
