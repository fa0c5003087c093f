// A normal prior times a correlated normal likelihood, of which only the likelihood is tempered: E0 is not constant and
// there is no box.
#pragma once

#include "targets/exact_target.hpp"

namespace ta2s2 {

// Precision at beta: I / 9 + beta A; mean: its inverse times beta A m.
class PriorPathGaussian final : public ExactTarget {
 public:
  explicit PriorPathGaussian(Index dim);

  Index dim() const override { return data_mean_.size(); }
  std::vector<std::string> names() const override;
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override;
  Vector draw_start(Stream& stream) const override { return draw_exact(0.0, stream); }
  Vector draw_exact(double beta, Stream& stream) const override;
  Truth truth() const override;

 private:
  Matrix precision(double beta) const;
  Vector mean(double beta) const;

  Vector data_mean_;        // m
  Matrix data_precision_;   // A
  Matrix data_covariance_;  // A^-1
};

}  // namespace ta2s2
