// Any log density on a box, as a target: what a C++ user needs to sample a function of their own.
#pragma once

#include <functional>

#include "ta2s2/sample.hpp"

namespace ta2s2 {

class FunctionTarget final : public TargetDensity {
 public:
  using LogDensity = std::function<double(VectorView)>;
  // Of the columns of `points`, all inside the box.
  using BlockLogDensity = std::function<void(MatrixView points, std::span<double> out)>;

  // `log_density` need not be normalised; it is called from several threads at once. A result that is not finite counts
  // as impossible. The start density is uniform on the box, and the evidence is the integral over the box.
  FunctionTarget(LogDensity log_density, Vector low, Vector high, std::vector<std::string> names = {});

  // A density that likes many points at once, as many as `lanes`. What it throws ends the run.
  FunctionTarget(BlockLogDensity log_density, int lanes, Vector low, Vector high, std::vector<std::string> names = {});

  Index dim() const override { return box_.low.size(); }
  const Box* box() const override { return &box_; }
  std::vector<std::string> names() const override { return names_; }
  int lanes() const override { return lanes_; }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override;

 private:
  bool contains(VectorView point) const;

  BlockLogDensity log_density_;
  int lanes_;
  Box box_;
  std::vector<std::string> names_;
  double log_volume_;
};

}  // namespace ta2s2
