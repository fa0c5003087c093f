// An exact target on a box: E0 is the uniform density on it, E1 what is left of minus the log density.
#pragma once

#include "targets/exact_target.hpp"

namespace ta2s2 {

class BoxTarget : public ExactTarget {
 public:
  BoxTarget(Vector low, Vector high);

  Index dim() const final { return box_.low.size(); }
  const Box* box() const final { return &box_; }
  std::vector<std::string> names() const final;
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const final;
  Vector draw_start(Stream& stream) const final;

  const Vector& low() const { return box_.low; }
  const Vector& high() const { return box_.high; }
  bool contains(VectorView x) const;

 protected:
  // Need not be normalised; called inside the box only.
  virtual double log_density(VectorView x) const = 0;

 private:
  Box box_;
  double log_volume_;
};

}  // namespace ta2s2
