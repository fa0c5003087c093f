// Makes an exact target of any target of at most three dimensions: a grid of energies gives the truth by quadrature,
// and an envelope to draw from at any temperature by rejection.
#pragma once

#include <map>
#include <mutex>

#include "targets/exact_target.hpp"

namespace ta2s2 {

struct Grid {
  Vector low, high;              // the box outside of which the target has no density
  std::vector<Index> num_cells;  // per coordinate
};

class QuadratureTarget final : public ExactTarget {
 public:
  QuadratureTarget(std::shared_ptr<const TargetDensity> target, Grid grid);

  Index dim() const override { return target_->dim(); }
  std::vector<std::string> names() const override { return target_->names(); }
  const Box* box() const override { return target_->box(); }
  int lanes() const override { return target_->lanes(); }
  std::unique_ptr<Workspace> make_workspace() const override { return target_->make_workspace(); }
  void energies(MatrixView points, Workspace& workspace, std::span<Energy> out) const override {
    target_->energies(points, workspace, out);
  }
  Vector draw_start(Stream& stream) const override { return target_->draw_start(stream); }

  // Throws std::logic_error if a density turns out above its envelope: the grid is then too coarse for this target.
  Vector draw_exact(double beta, Stream& stream) const override;

  // By the trapezoidal rule on the grid's nodes.
  Truth truth() const override;

 private:
  // Constant on each cell: the greatest density at its corners, times a factor for what the corners do not show.
  struct Envelope {
    std::vector<double> log_heights;
    std::vector<double> cumulative;
  };

  void evaluate_nodes();
  std::vector<Index> cell_at(Index flat) const;  // a coordinate's cell number each
  Index num_nodes(Index d) const { return grid_.num_cells[static_cast<std::size_t>(d)] + 1; }
  double step(Index d) const { return (grid_.high[d] - grid_.low[d]) / static_cast<double>(num_nodes(d) - 1); }
  const Envelope& envelope(double beta) const;
  Envelope make_envelope(double beta) const;

  std::shared_ptr<const TargetDensity> target_;
  Grid grid_;
  std::vector<Energy> nodes_;  // the first coordinate runs fastest
  mutable std::mutex mutex_;
  mutable std::map<double, Envelope> envelopes_;  // made when a temperature is first asked for
};

}  // namespace ta2s2
