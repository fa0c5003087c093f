#include "targets/quadrature_target.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "targets/marginal_truth.hpp"

namespace ta2s2 {
namespace {

// A cell's inside may rise above its corners by h^2 |curvature| / 8 per coordinate: for steps below half an sd, less
// than 0.1 in the logarithm.
const double kLogSafety = std::log(1.5);

Index product(const std::vector<Index>& counts) {
  Index all = 1;
  for (const Index count : counts) all *= count;
  return all;
}

}  // namespace

QuadratureTarget::QuadratureTarget(std::shared_ptr<const TargetDensity> target, Grid grid)
    : target_(std::move(target)), grid_(std::move(grid)) {
  if (dim() > 3) throw std::logic_error("a grid needs at most three dimensions");
  evaluate_nodes();
}

void QuadratureTarget::evaluate_nodes() {
  const Index num_slices = num_nodes(dim() - 1);
  Index slice = 1;
  for (Index d = 0; d + 1 < dim(); ++d) slice *= num_nodes(d);
  nodes_.resize(static_cast<std::size_t>(slice * num_slices));

  ThreadExecutor executor(0);
  const auto task = [&](Index s, int) {
    Matrix points(dim(), slice);
    for (Index i = 0; i < slice; ++i) {
      Index rest = s * slice + i;
      for (Index d = 0; d < dim(); ++d) {
        points(d, i) = std::min(grid_.high[d], grid_.low[d] + step(d) * static_cast<double>(rest % num_nodes(d)));
        rest /= num_nodes(d);
      }
    }
    const auto workspace = make_workspace();
    target_->energies(points, *workspace,
                      std::span(nodes_).subspan(static_cast<std::size_t>(s * slice), static_cast<std::size_t>(slice)));
    return Payload{};
  };
  executor.map(std::vector<double>(static_cast<std::size_t>(num_slices), 1.0), task);
}

std::vector<Index> QuadratureTarget::cell_at(Index flat) const {
  std::vector<Index> cell;
  for (const Index count : grid_.num_cells) {
    cell.push_back(flat % count);
    flat /= count;
  }
  return cell;
}

QuadratureTarget::Envelope QuadratureTarget::make_envelope(double beta) const {
  std::vector<Index> strides = {1};
  for (Index d = 0; d + 1 < dim(); ++d) strides.push_back(strides.back() * num_nodes(d));
  std::vector<Index> corners = {0};
  for (const Index stride : strides) {
    for (std::size_t c = corners.size(); c-- > 0;) corners.push_back(corners[c] + stride);
  }

  Envelope envelope;
  envelope.log_heights.resize(static_cast<std::size_t>(product(grid_.num_cells)));
  for (std::size_t i = 0; i < envelope.log_heights.size(); ++i) {
    const std::vector<Index> cell = cell_at(static_cast<Index>(i));
    Index first = 0;
    for (std::size_t d = 0; d < cell.size(); ++d) first += cell[d] * strides[d];
    double least = kInfinity;
    for (const Index corner : corners) {
      least = std::min(least, nodes_[static_cast<std::size_t>(first + corner)].at(beta));
    }
    envelope.log_heights[i] = kLogSafety - least;
  }
  const double highest = *std::max_element(envelope.log_heights.begin(), envelope.log_heights.end());
  double sum = 0.0;
  for (const double log_height : envelope.log_heights) {
    sum += std::exp(log_height - highest);
    envelope.cumulative.push_back(sum);
  }
  return envelope;
}

const QuadratureTarget::Envelope& QuadratureTarget::envelope(double beta) const {
  const std::lock_guard lock(mutex_);
  const auto found = envelopes_.find(beta);
  return found != envelopes_.end() ? found->second : envelopes_.emplace(beta, make_envelope(beta)).first->second;
}

Vector QuadratureTarget::draw_exact(double beta, Stream& stream) const {
  const Envelope& bound = envelope(beta);
  const auto workspace = make_workspace();
  Vector x(dim());
  Energy found;
  for (;;) {
    const double u = draw_uniform(stream) * bound.cumulative.back();
    const auto place = std::lower_bound(bound.cumulative.begin(), bound.cumulative.end(), u);
    const auto flat = place - bound.cumulative.begin();
    const std::vector<Index> cell = cell_at(flat);
    for (Index d = 0; d < dim(); ++d) {
      const auto from_low = static_cast<double>(cell[static_cast<std::size_t>(d)]) + draw_uniform(stream);
      x[d] = grid_.low[d] + step(d) * from_low;
    }
    target_->energies(x, *workspace, {&found, 1});
    const double log_share = -found.at(beta) - bound.log_heights[static_cast<std::size_t>(flat)];
    if (log_share > 0.0) throw std::logic_error("a density above its envelope: the grid is too coarse");
    if (-draw_exponential(stream) < log_share) return x;
  }
}

Truth QuadratureTarget::truth() const {
  double least = kInfinity, log_cell = 0.0;
  for (const Energy& energy : nodes_) least = std::min(least, energy.total());
  std::vector<std::vector<double>> densities;  // marginal, at the nodes of each coordinate
  for (Index d = 0; d < dim(); ++d) {
    densities.emplace_back(static_cast<std::size_t>(num_nodes(d)), 0.0);
    log_cell += std::log(step(d));
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::vector<std::size_t> node;
    double weight = 1.0;  // trapezoidal: half for each border the node lies on
    auto rest = static_cast<Index>(i);
    for (Index d = 0; d < dim(); ++d) {
      const Index at = rest % num_nodes(d);
      rest /= num_nodes(d);
      node.push_back(static_cast<std::size_t>(at));
      if (at == 0 || at + 1 == num_nodes(d)) weight *= 0.5;
    }
    const double density = std::exp(least - nodes_[i].total());
    sum += weight * density;
    for (std::size_t d = 0; d < node.size(); ++d) {
      const bool on_border = node[d] == 0 || node[d] + 1 == densities[d].size();
      densities[d][node[d]] += density * (on_border ? 2.0 * weight : weight);
    }
  }
  std::vector<MarginalTruth> marginals;
  for (Index d = 0; d < dim(); ++d) {
    marginals.push_back(integrate_nodes(densities[static_cast<std::size_t>(d)], grid_.low[d], grid_.high[d]));
  }
  return truth_from_marginals(std::log(sum) - least + log_cell, marginals);
}

}  // namespace ta2s2
