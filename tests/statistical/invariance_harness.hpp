// Does a kernel leave its tempered density invariant? Exact draws are moved a few steps under a fixed plan;
// if the kernel is invariant, what comes out are exact draws again, whose means are known.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {

// A function of a state and its exact mean under the tempered density.
struct Statistic {
  std::string name;
  std::function<double(const Vector& position, const Energy& energy)> value;
  double expected;
};

// A target whose tempered densities can be drawn from exactly and whose means are known.
class ExactTarget : public TargetDensity {
 public:
  virtual Vector draw_exact(double beta, Stream& stream) const = 0;
  virtual std::vector<Statistic> statistics(double beta) const = 0;
};

struct InvarianceTrial {
  double beta = 1.0;
  Index num_chains = 20000;
  Index num_steps = 10;
  Index num_markers = 1000;
  std::uint64_t seed = 1;
};

struct Deviation {
  std::string name;
  double z;  // (mean over chains - exact mean) / standard error
};

inline std::ostream& operator<<(std::ostream& out, const Deviation& deviation) {
  return out << deviation.name << ": " << deviation.z << " sds";
}

namespace detail {

// Columns [0, num_chains) are the chains' starts, the others are markers: an independent set.
inline Population draw_starts_and_markers(const ExactTarget& target, const InvarianceTrial& trial) {
  Population population;
  const Index size = trial.num_chains + trial.num_markers;
  population.positions.resize(target.dim(), size);
  population.energies.resize(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) {
    Stream stream({trial.seed, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    population.positions.col(i) = target.draw_exact(trial.beta, stream);
  }
  const auto workspace = target.make_workspace();
  target.energies(population.positions, *workspace, population.energies);
  return population;
}

// All that a level adapts, from the markers alone, so that the plan is independent of the chains it moves.
inline LevelPlan plan_from_markers(Population population, const InvarianceTrial& trial) {
  const Matrix markers = population.positions.rightCols(trial.num_markers);
  const Vector weights = Vector::Constant(trial.num_markers, 1.0 / static_cast<double>(trial.num_markers));
  LevelPlan plan;
  plan.beta = trial.beta;
  plan.covariance_factor = regularised_factor(weighted_moments(markers, weights).covariance);
  Stream stream({trial.seed, Purpose::mixture_fit, 0, 0, 0});
  plan.mixture = fit_proposal_mixture(markers, weights, 8, stream);
  plan.markers_by_energy.resize(static_cast<std::size_t>(trial.num_markers));
  std::iota(plan.markers_by_energy.begin(), plan.markers_by_energy.end(), trial.num_chains);
  std::stable_sort(plan.markers_by_energy.begin(), plan.markers_by_energy.end(), [&](Index a, Index b) {
    return population.energies[static_cast<std::size_t>(a)].at(trial.beta) <
           population.energies[static_cast<std::size_t>(b)].at(trial.beta);
  });
  plan.chains.starts.resize(static_cast<std::size_t>(trial.num_chains));
  std::iota(plan.chains.starts.begin(), plan.chains.starts.end(), Index{0});
  plan.chains.lengths.assign(plan.chains.starts.size(), trial.num_steps);
  plan.markers = std::make_shared<const Population>(std::move(population));
  return plan;
}

// Final states of different chains are independent: the standard error is that of independent draws.
inline Deviation deviation_of(const Statistic& statistic, const Population& grown) {
  double mean = 0.0, squares = 0.0;
  for (Index c = 0; c < grown.num_chains(); ++c) {
    const Index last = grown.chain_begin[static_cast<std::size_t>(c) + 1] - 1;
    const double x = statistic.value(grown.positions.col(last), grown.energies[static_cast<std::size_t>(last)]);
    const double delta = x - mean;
    mean += delta / static_cast<double>(c + 1);  // Welford
    squares += delta * (x - mean);
  }
  const auto n = static_cast<double>(grown.num_chains());
  return {statistic.name, (mean - statistic.expected) / std::sqrt(squares / (n * (n - 1.0)))};
}

}  // namespace detail

inline std::vector<Deviation> deviations_after_moves(const ExactTarget& target, const MoveKernel& kernel,
                                                     const InvarianceTrial& trial) {
  const LevelPlan plan = detail::plan_from_markers(detail::draw_starts_and_markers(target, trial), trial);
  ThreadExecutor executor(0);
  const LevelMoves moves = grow_chains(target, kernel, plan, trial.seed, executor);
  std::vector<Deviation> deviations;
  for (const Statistic& statistic : target.statistics(trial.beta)) {
    deviations.push_back(detail::deviation_of(statistic, moves.population));
  }
  return deviations;
}

inline Deviation largest(const std::vector<Deviation>& deviations) {
  return *std::max_element(deviations.begin(), deviations.end(),
                           [](const Deviation& a, const Deviation& b) { return std::abs(a.z) < std::abs(b.z); });
}

}  // namespace ta2s2
