#include "ta2s2/emulator/modes.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/smc/proposal_mixture.hpp"

namespace ta2s2 {
namespace {

constexpr int kMaxComponents = 8;
constexpr double kBarrier = 1.0;  // in units of H
constexpr int kPointsOnLine = 15;
constexpr double kLeastWeight = 0.001;  // a component with less is a stray draw, not a mode

std::vector<Index> most_responsible(const ProposalMixture& mixture, const Matrix& positions) {
  std::vector<Index> component;
  std::vector<double> terms;
  for (Index i = 0; i < positions.cols(); ++i) {
    mixture.log_terms(positions.col(i), terms);
    component.push_back(std::max_element(terms.begin(), terms.end()) - terms.begin());
  }
  return component;
}

// Draws that belong together, with the best of them, and the maximum that a search from it finds.
struct Cluster {
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

class EnergyLine {
 public:
  explicit EnergyLine(const TargetDensity& target) : target_(target), workspace_(target.make_workspace()) {}

  // How far H rises on the way from a to b above the higher of its ends.
  double barrier(const Vector& a, const Vector& b) {
    Matrix points(a.size(), kPointsOnLine);
    for (int i = 0; i < kPointsOnLine; ++i) {
      const double share = static_cast<double>(i) / (kPointsOnLine - 1);
      points.col(i) = (1.0 - share) * a + share * b;
    }
    std::vector<Energy> energies(kPointsOnLine);
    target_.energies(points, *workspace_, energies);
    double highest = -kInfinity;
    for (const Energy& energy : energies) highest = std::max(highest, energy.total());
    return highest - std::max(energies.front().total(), energies.back().total());
  }

 private:
  const TargetDensity& target_;
  std::unique_ptr<Workspace> workspace_;
};

std::vector<Cluster> clusters_of(const PosteriorSample& sample) {
  Stream stream({0, Purpose::mixture_fit, 0, 0, 0});
  const ProposalMixture mixture = fit_proposal_mixture(sample.positions, sample.weights, kMaxComponents, stream);
  std::vector<Cluster> clusters(mixture.components().size());
  const std::vector<Index> component = most_responsible(mixture, sample.positions);
  for (Index i = 0; i < sample.size(); ++i) {
    clusters[static_cast<std::size_t>(component[static_cast<std::size_t>(i)])].add(i, sample);
  }
  std::erase_if(clusters, [](const Cluster& cluster) { return cluster.weight < kLeastWeight; });
  return clusters;
}

// Joins the first two clusters without a barrier between their tops; false if there are none. From the arms of a curved
// mode, which straight lines leave, the search climbs to the one top they share.
bool merge_one_pair(std::vector<Cluster>& clusters, EnergyLine& line, const PosteriorSample& sample) {
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      if (line.barrier(clusters[a].top.position, clusters[b].top.position) > kBarrier) continue;
      for (const Index draw : clusters[b].draws) clusters[a].add(draw, sample);
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

std::vector<Mode> find_modes(const TargetDensity& target, const Box& box, const PosteriorSample& sample) {
  std::vector<Cluster> clusters = clusters_of(sample);
  for (Cluster& cluster : clusters) cluster.top = refine(target, box, sample.positions.col(cluster.best));
  EnergyLine line(target);
  while (merge_one_pair(clusters, line, sample)) {
  }
  std::vector<Mode> modes;
  for (const Cluster& cluster : clusters) modes.push_back(describe(cluster, sample));
  std::sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.weight > b.weight; });
  return modes;
}

}  // namespace ta2s2
