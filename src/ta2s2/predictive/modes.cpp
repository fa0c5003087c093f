#include "ta2s2/predictive/modes.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/mixture_fit.hpp"

namespace ta2s2 {
namespace {

constexpr int kMaxComponents = 8;
constexpr double kBarrier = 1.0;  // in units of H
constexpr int kPointsOnLine = 15;
constexpr double kLeastWeight = 0.001;  // a component with less is a stray draw, not a mode

std::vector<Index> most_responsible(const ProposalMixture& mixture, const Matrix& positions, Executor* executor) {
  constexpr Index kStretch = 512;
  std::vector<Index> component(static_cast<std::size_t>(positions.cols()));
  for_each_stretch(executor, positions.cols(), kStretch, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      component[static_cast<std::size_t>(i)] = mixture.at(positions.col(i)).most_responsible();
    }
  });
  return component;
}

// Draws that belong together, with the best of them, and the maximum that a search from it finds.
struct Cluster {
  std::vector<Index> components;
  std::vector<Index> draws;
  double weight = 0.0;
  Index best = -1;
  MapEstimate top;

  void add(Index draw, const PosteriorSample& sample) {
    draws.push_back(draw);
    weight += sample.weights[draw];
    if (best < 0 || sample.energies[draw] < sample.energies[best]) best = draw;
  }
};

// How far H rises on the way from a to b above the higher of its ends.
double barrier(const Vector& a, const Vector& b, const PointEvaluator& evaluate) {
  Matrix points(a.size(), kPointsOnLine);
  for (int i = 0; i < kPointsOnLine; ++i) {
    const double share = static_cast<double>(i) / (kPointsOnLine - 1);
    points.col(i) = (1.0 - share) * a + share * b;
  }
  const std::vector<Energy> energies = evaluate(points);
  double highest = -kInfinity;
  for (const Energy& energy : energies) highest = std::max(highest, energy.total());
  return highest - std::max(energies.front().total(), energies.back().total());
}

ProposalMixture fit_mixture(const PosteriorSample& sample, Executor& executor) {
  Stream stream({0, Purpose::mixture_fit, 0, 0, 0});
  return fit_proposal_mixture(sample.positions, sample.weights,
                              {.max_components = kMaxComponents, .executor = &executor}, stream);
}

std::vector<Cluster> clusters_of(const PosteriorSample& sample, const ProposalMixture& mixture, Executor& executor) {
  std::vector<Cluster> clusters(mixture.components().size());
  for (std::size_t c = 0; c < clusters.size(); ++c) clusters[c].components = {static_cast<Index>(c)};
  const std::vector<Index> component = most_responsible(mixture, sample.positions, &executor);
  for (Index i = 0; i < sample.size(); ++i) {
    clusters[static_cast<std::size_t>(component[static_cast<std::size_t>(i)])].add(i, sample);
  }
  std::erase_if(clusters, [](const Cluster& cluster) { return cluster.weight < kLeastWeight; });
  return clusters;
}

// Joins the first two clusters without a barrier between their tops; false if there are none. From the arms of a curved
// mode, which straight lines leave, the search climbs to the one top they share.
bool merge_one_pair(std::vector<Cluster>& clusters, const PosteriorSample& sample, const PointEvaluator& evaluate) {
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      if (barrier(clusters[a].top.position, clusters[b].top.position, evaluate) > kBarrier) continue;
      for (const Index draw : clusters[b].draws) clusters[a].add(draw, sample);
      for (const Index component : clusters[b].components) clusters[a].components.push_back(component);
      if (clusters[b].top.energy < clusters[a].top.energy) clusters[a].top = clusters[b].top;
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(b));
      return true;
    }
  }
  return false;
}

Mode describe(const Cluster& cluster, const PosteriorSample& sample) {
  const Matrix positions = sample.positions(Eigen::all, cluster.draws);
  const Vector weights = sample.weights(cluster.draws) / cluster.weight;
  Mode mode{cluster.top.position, cluster.top.energy, std::min(cluster.weight, 1.0), positions * weights, {}};
  mode.sd = ((positions.colwise() - mode.mean).array().square().matrix() * weights).array().sqrt();
  return mode;
}

}  // namespace

std::vector<Index> ModePartition::modes_of(const Matrix& positions, Executor* executor) const {
  std::vector<Index> numbers = most_responsible(mixture_, positions, executor);
  for (Index& number : numbers) number = mode_of_component_[static_cast<std::size_t>(number)];
  return numbers;
}

ModePartition divide_into_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample,
                                Executor& executor) {
  ProposalMixture mixture = fit_mixture(sample, executor);
  std::vector<Cluster> clusters = clusters_of(sample, mixture, executor);
  const PointEvaluator evaluate(target, executor);
  for (Cluster& cluster : clusters) cluster.top = refine(box, sample.positions.col(cluster.best), evaluate);
  while (merge_one_pair(clusters, sample, evaluate)) {
  }
  std::sort(clusters.begin(), clusters.end(), [](const Cluster& a, const Cluster& b) { return a.weight > b.weight; });
  std::vector<Mode> modes;
  std::vector<Index> mode_of_component(mixture.components().size(), -1);
  for (const Cluster& cluster : clusters) {
    for (const Index component : cluster.components) {
      mode_of_component[static_cast<std::size_t>(component)] = static_cast<Index>(modes.size());
    }
    modes.push_back(describe(cluster, sample));
  }
  return ModePartition(std::move(modes), std::move(mixture), std::move(mode_of_component));
}

std::vector<Mode> find_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample) {
  ThreadExecutor executor(1);
  return divide_into_modes(target, box, sample, executor).modes();
}

}  // namespace ta2s2
