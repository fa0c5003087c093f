#include "ta2s2/workflow/describe_result.hpp"

#include <algorithm>

#include "ta2s2/gp/parameter_space.hpp"
#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/smc/draw_lineage.hpp"
#include "ta2s2/smc/sampler_result.hpp"

namespace ta2s2 {
namespace {

double chain_ess(const Vector& values, const WeightedPopulation& states) {
  return states.num_chains() > 1 ? ess_from_chains(values, states) : 0.0;
}

std::vector<Index> first_states(const Population& population) {
  std::vector<Index> first;
  for (Index g = 0; g <= population.num_groups(); ++g) first.push_back(population.first_state_of_group(g));
  return first;
}

std::optional<double> r_hat_between_groups(const Vector& values, const WeightedPopulation& states) {
  const std::vector<Index> first = first_states(states);
  for (std::size_t g = 0; g + 1 < first.size(); ++g) {
    const auto weights = states.weights.segment(first[g], first[g + 1] - first[g]);
    if ((weights.array() > 0.0).count() < 2) return std::nullopt;
  }
  return first.size() > 2 ? std::optional(group_r_hat(values, states.weights, first)) : std::nullopt;
}

Vector total_energies(std::span<const Energy> energies, double offset) {
  Vector totals(static_cast<Index>(energies.size()));
  for (std::size_t i = 0; i < energies.size(); ++i) totals[static_cast<Index>(i)] = energies[i].total() + offset;
  return totals;
}

// At most `count` draws: a prediction's cost is theirs.
PosteriorSample take_sample(const SamplerResult& run, std::uint64_t seed, const TargetDensity& target, double offset) {
  const WeightedPopulation& states = run.states;
  Stream stream({seed, Purpose::thinning, 0, 0, 0});
  const ThinnedDraws thinned = run.has_equal_draws ? resample(states.weights, run.num_draws, stream)
                                                   : thin(states.weights, run.num_draws, stream);
  return {target.names(), states.positions(Eigen::all, thinned.kept), thinned.weights,
          total_energies(states.energies, offset)(thinned.kept), lineage_of(states, thinned.kept)};
}

// The box of a length-scale may reach far beyond those that runs can tell apart, which are no share of its width.
double counted_width(const std::string& name, double width) {
  return name.starts_with("log_phi_") ? std::min(width, kDefaultLogPhiBox.width()) : width;
}

}  // namespace

std::vector<CoordinateDiagnostics> diagnose_coordinates(const WeightedPopulation& states,
                                                        const std::vector<std::string>& names, const Box& box,
                                                        Executor* executor) {
  std::vector<CoordinateDiagnostics> diagnostics(names.size());
  for_each_stretch(executor, box.low.size(), 1, [&](Index d, Index) {
    const double margin = kBorderShare * counted_width(names[static_cast<std::size_t>(d)], box.high[d] - box.low[d]);
    const Vector values = states.positions.row(d).transpose();
    const auto mass_where = [&](const auto& holds) {
      return (holds.template cast<double>() * states.weights.array()).sum();
    };
    diagnostics[static_cast<std::size_t>(d)] = {
        names[static_cast<std::size_t>(d)], chain_ess(values, states), mass_where(values.array() < box.low[d] + margin),
        mass_where(values.array() > box.high[d] - margin), r_hat_between_groups(values, states)};
  });
  return diagnostics;
}

void count_thinning(std::vector<CoordinateDiagnostics>& diagnostics, const Vector& all_weights, const Vector& kept) {
  const double lost = std::max(0.0, kept.squaredNorm() - all_weights.squaredNorm());
  for (CoordinateDiagnostics& d : diagnostics) {
    if (d.effective_sample_size > 0.0) d.effective_sample_size = 1.0 / (1.0 / d.effective_sample_size + lost);
  }
}

std::vector<Mode> weigh_by_group(const ModePartition& partition, const WeightedPopulation& states, Executor* executor) {
  const std::vector<Index> numbers = partition.modes_of(states.positions, executor);
  const std::vector<Index> first = first_states(states);
  std::vector<Mode> modes = partition.modes();
  for (std::size_t m = 0; m < modes.size(); ++m) {
    Vector is_here(states.size());
    for (Index i = 0; i < states.size(); ++i) {
      is_here[i] = numbers[static_cast<std::size_t>(i)] == static_cast<Index>(m) ? 1.0 : 0.0;
    }
    modes[m].effective_sample_size = chain_ess(is_here, states);
    for (std::size_t g = 0; g + 1 < first.size(); ++g) {
      const auto weights = states.weights.segment(first[g], first[g + 1] - first[g]);
      const double here = weights.dot(is_here.segment(first[g], first[g + 1] - first[g]));
      modes[m].group_weights.push_back(here > 0.0 ? std::min(here / weights.sum(), 1.0) : 0.0);
    }
    modes[m].weight = std::min(states.weights.dot(is_here), 1.0);
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.weight > b.weight; });
  return modes;
}

Sample describe_result(SamplerResult run, const TargetDensity& target, double offset, std::uint64_t seed,
                       Executor& executor) {
  Sample described;
  described.sample = take_sample(run, seed, target, offset);
  if (run.evidence) {
    described.evidence = {run.evidence->log_evidence, run.evidence->standard_error, true, run.evidence->by_group};
  }
  described.diagnostics = diagnose_coordinates(run.states, target.names(), *target.box(), &executor);
  count_thinning(described.diagnostics, run.states.weights, described.sample.weights);
  described.modes =
      weigh_by_group(divide_into_modes(target, *target.box(), described.sample, executor), run.states, &executor);
  for (Mode& mode : described.modes) mode.energy += offset;
  described.levels = std::move(run.levels);
  described.notices = std::move(run.notices);
  described.passes = std::move(run.passes);
  return described;
}

}  // namespace ta2s2
