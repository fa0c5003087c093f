#include "ta2s2/workflow/diagnose.hpp"

#include "ta2s2/emulator/effective_sample_size.hpp"

namespace ta2s2 {
namespace {

// From the scatter of chain means. Chains of TMCMC growth differ in length: there it is not estimated.
double chain_ess(const Vector& values, const Population& population) {
  const Index num_chains = population.num_chains();
  const Index length = population.size() / num_chains;
  for (Index c = 0; c < num_chains; ++c) {
    const auto chain = static_cast<std::size_t>(c);
    if (population.chain_begin[chain + 1] - population.chain_begin[chain] != length) return 0.0;
  }
  return num_chains > 1 ? ess_from_chains(Eigen::Map<const Matrix>(values.data(), length, num_chains)) : 0.0;
}

std::vector<Index> first_states(const Population& population) {
  std::vector<Index> first;
  for (Index g = 0; g <= population.num_groups(); ++g) first.push_back(population.first_state_of_group(g));
  return first;
}

std::optional<double> r_hat_between_groups(const Vector& values, const Population& population) {
  const std::vector<Index> first = first_states(population);
  for (std::size_t g = 0; g + 1 < first.size(); ++g) {
    if (first[g + 1] - first[g] < 2) return std::nullopt;
  }
  return first.size() > 2 ? std::optional(group_r_hat(values, first)) : std::nullopt;
}

}  // namespace

std::vector<CoordinateDiagnostics> diagnose_coordinates(const PosteriorSample& sample, const Population& last,
                                                        const ParameterSpace& space) {
  std::vector<CoordinateDiagnostics> diagnostics;
  for (Index d = 0; d < space.dim(); ++d) {
    const double margin = kBorderShare * (space.high()[d] - space.low()[d]);
    const auto row = sample.positions.row(d).transpose().array();
    const double low = ((row < space.low()[d] + margin).cast<double>() * sample.weights.array()).sum();
    const double high = ((row > space.high()[d] - margin).cast<double>() * sample.weights.array()).sum();
    const Vector values = last.positions.row(d).transpose();
    diagnostics.push_back({sample.names[static_cast<std::size_t>(d)], chain_ess(values, last), low, high,
                           r_hat_between_groups(values, last)});
  }
  return diagnostics;
}

std::vector<Mode> weigh_by_group(const ModePartition& partition, const Population& last) {
  const std::vector<Index> numbers = partition.modes_of(last.positions);
  const std::vector<Index> first = first_states(last);
  std::vector<Mode> modes = partition.modes();
  for (std::size_t m = 0; m < modes.size(); ++m) {
    Vector is_here(last.size());
    for (Index i = 0; i < last.size(); ++i) {
      is_here[i] = numbers[static_cast<std::size_t>(i)] == static_cast<Index>(m) ? 1.0 : 0.0;
    }
    modes[m].effective_sample_size = chain_ess(is_here, last);
    for (std::size_t g = 0; g + 1 < first.size(); ++g) {
      modes[m].group_weights.push_back(is_here.segment(first[g], first[g + 1] - first[g]).mean());
    }
  }
  return modes;
}

}  // namespace ta2s2
