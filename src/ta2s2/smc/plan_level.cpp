#include "ta2s2/smc/plan_level.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ta2s2/linalg/weighted_covariance.hpp"

namespace ta2s2 {
namespace {

int max_components(Index dim) {
  return dim > 3 ? 6 : 8;
}

std::vector<Index> order_by_energy(const Population& markers, double beta) {
  std::vector<Index> order(static_cast<std::size_t>(markers.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return markers.energies[static_cast<std::size_t>(a)].at(beta) <
           markers.energies[static_cast<std::size_t>(b)].at(beta);
  });
  return order;
}

// Points without weight tell the mixture nothing and would cost as much as the others.
ProposalMixture fit_to_markers(const Population& markers, const Vector& weights, Stream& stream) {
  const double negligible = 1e-4 / static_cast<double>(weights.size());
  std::vector<Index> kept;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights[i] > negligible) kept.push_back(i);
  }
  const Matrix points = markers.positions(Eigen::all, kept);
  const Vector kept_weights = weights(kept);
  return fit_proposal_mixture(points, kept_weights / kept_weights.sum(), max_components(points.rows()), stream);
}

}  // namespace

LevelPlan plan_level(const LevelStart& start, std::shared_ptr<const Population> markers, const LogWeights& weights,
                     const MoveKernel& kernel, const AnnealOptions& options) {
  const auto stream_for = [&](Purpose purpose) {
    return Stream({options.seed, purpose, static_cast<std::uint64_t>(start.level), 0, 0});
  };
  const Index dim = markers->positions.rows();
  const Vector& w = weights.normalised();
  const Index chain_length =
      options.chain_length > 0 ? options.chain_length : default_chain_length(dim, options.num_samples);

  LevelPlan plan;
  plan.level = start.level;
  plan.beta = start.beta;
  plan.walk_scale = start.walk_scale;
  plan.covariance_factor = regularised_factor(weighted_moments(markers->positions, w).covariance);
  if (kernel.needs_mixture()) {
    Stream stream = stream_for(Purpose::mixture_fit);
    plan.mixture = fit_to_markers(*markers, w, stream);
  }
  if (kernel.needs_markers()) plan.markers_by_energy = order_by_energy(*markers, start.beta);
  Stream stream = stream_for(Purpose::resample);
  plan.chains = grow_in_groups(options.growth, w, *markers, options.num_samples, chain_length, stream);
  plan.markers = std::move(markers);
  return plan;
}

double adapt_walk_scale(double scale, double acceptance, Index dim) {
  const double target = dim <= 3 ? 0.35 : 0.25;
  constexpr double kGain = 2.0;  // one level corrects an acceptance that is off by 0.35 with a factor of two
  return std::clamp(scale * std::exp(kGain * (acceptance - target)), 0.02, 5.0);
}

}  // namespace ta2s2
