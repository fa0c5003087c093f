#include "ta2s2/predictive/modes.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/mixture_fit.hpp"

namespace ta2s2 {
namespace {

// Energies of the columns.
using Evaluate = std::function<std::vector<Energy>(const Matrix&)>;

// NLopt wants finite numbers: an impossible point is merely very bad.
constexpr double kImpossibleEnergy = 1e100;
// Of a difference, in z: its square is the error of a derivative, and H is known to 1e-10 or so.
constexpr double kStep = 3e-4;

struct Search {
  const Evaluate& evaluate;
  const Box& box;
  MapEstimate best;
  bool met_impossible = false;
  nlopt_opt optimiser = nullptr;
  std::exception_ptr failure = nullptr;

  std::vector<double> energies(const Matrix& points) {
    std::vector<double> totals;
    for (const Energy& energy : evaluate(points)) totals.push_back(energy.total());
    best.evaluations += static_cast<int>(totals.size());
    return totals;
  }

  double keep(const Vector& position, double energy) {
    if (energy < best.energy) {
      best.energy = energy;
      best.position = position;
    }
    return std::min(energy, kImpossibleEnergy);
  }

  // By central differences, shorter at the border.
  double energy_and_gradient(const Vector& position, double* gradient) {
    const Index d = position.size();
    Matrix points = position.replicate(1, 2 * d + 1);
    for (Index i = 0; i < d; ++i) {
      points(i, 2 * i) = std::max(position[i] - kStep, box.low[i]);
      points(i, 2 * i + 1) = std::min(position[i] + kStep, box.high[i]);
    }
    const std::vector<double> found = energies(points);
    for (Index i = 0; i < d; ++i) {
      const double below = found[static_cast<std::size_t>(2 * i)], above = found[static_cast<std::size_t>(2 * i + 1)];
      const bool is_known = std::isfinite(below) && std::isfinite(above);
      gradient[i] = is_known ? (above - below) / (points(i, 2 * i + 1) - points(i, 2 * i)) : 0.0;
      met_impossible = met_impossible || !is_known;
    }
    return keep(position, found.back());
  }
};

// NLopt is written in C: an exception goes round it.
double objective(unsigned dim, const double* x, double* gradient, void* data) {
  auto& search = *static_cast<Search*>(data);
  try {
    const Vector position = Eigen::Map<const Vector>(x, static_cast<Index>(dim));
    if (gradient != nullptr) return search.energy_and_gradient(position, gradient);
    return search.keep(position, search.energies(position).front());
  } catch (...) {
    search.failure = std::current_exception();
    nlopt_force_stop(search.optimiser);
    if (gradient != nullptr) std::fill_n(gradient, dim, 0.0);
    return kImpossibleEnergy;
  }
}

nlopt_result run(nlopt_algorithm algorithm, int max_evaluations, Search& search) {
  const auto dim = static_cast<unsigned>(search.best.position.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(nlopt_create(algorithm, dim), &nlopt_destroy);
  search.optimiser = optimiser.get();
  nlopt_set_lower_bounds(optimiser.get(), search.box.low.data());
  nlopt_set_upper_bounds(optimiser.get(), search.box.high.data());
  nlopt_set_min_objective(optimiser.get(), &objective, &search);
  nlopt_set_initial_step1(optimiser.get(), 0.3);
  nlopt_set_xtol_abs1(optimiser.get(), 1e-5);
  nlopt_set_ftol_abs(optimiser.get(), 1e-9);
  nlopt_set_maxeval(optimiser.get(), max_evaluations);
  Vector x = search.best.position.cwiseMax(search.box.low).cwiseMin(search.box.high);
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.failure) std::rethrow_exception(search.failure);
  return result;
}

MapEstimate refine_by(const Evaluate& evaluate, const Box& box, const Vector& start) {
  Search search{.evaluate = evaluate, .box = box, .best = {start, kInfinity, 0}};
  search.best.energy = search.energies(start).front();
  const int dim = static_cast<int>(start.size());
  const nlopt_result by_gradient = run(NLOPT_LD_SLSQP, 200 + 20 * dim, search);
  if (by_gradient > 0 && !search.met_impossible) return search.best;
  const nlopt_result by_simplices = run(NLOPT_LN_SBPLX, 500 + 250 * dim, search);
  // A roundoff-limited search has still found its best point; anything else below zero is our mistake.
  if (by_simplices < 0 && by_simplices != NLOPT_ROUNDOFF_LIMITED) {
    throw Error(ErrorCode::internal,
                "the search for the MAP failed (NLopt result " + std::to_string(by_simplices) + ")");
  }
  return search.best;
}

}  // namespace

MapEstimate refine(const Box& box, const Vector& start, const PointEvaluator& evaluate) {
  return refine_by(std::ref(evaluate), box, start);
}

MapEstimate refine(const TargetDensity& target, const Box& box, const Vector& start) {
  const auto workspace = target.make_workspace();
  const auto evaluate = [&](const Matrix& points) {
    std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
    target.energies(points, *workspace, energies);
    return energies;
  };
  return refine_by(evaluate, box, start);
}

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
