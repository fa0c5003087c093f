#include "ta2s2/smc/growth.hpp"

#include <algorithm>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {

std::vector<Index> systematic_resample(const Vector& weights, Index count, Stream& stream) {
  const double offset = draw_uniform(stream);
  std::vector<Index> chosen;
  chosen.reserve(static_cast<std::size_t>(count));
  Index last = weights.size() - 1;
  while (last > 0 && weights[last] <= 0.0) --last;  // rounding must not push past the last point with weight
  Index i = 0;
  double cumulative = weights[0];
  for (Index k = 0; k < count; ++k) {
    const double position = (static_cast<double>(k) + offset) / static_cast<double>(count);
    while (cumulative < position && i < last) cumulative += weights[++i];
    chosen.push_back(i);
  }
  return chosen;
}

namespace {

ChainPlan equal_chains(const Vector& weights, Index num_samples, Index length, Stream& stream) {
  const Index num_chains = (num_samples + length - 1) / length;
  ChainPlan plan;
  plan.starts = systematic_resample(weights, num_chains, stream);
  plan.lengths.assign(plan.starts.size(), length);
  return plan;
}

ChainPlan tmcmc_chains(const Vector& weights, Index num_samples, Stream& stream) {
  std::vector<double> cumulative(static_cast<std::size_t>(weights.size()));
  double sum = 0.0;
  for (Index i = 0; i < weights.size(); ++i) cumulative[static_cast<std::size_t>(i)] = sum += weights[i];
  std::vector<Index> times(cumulative.size(), 0);
  for (Index k = 0; k < num_samples; ++k) {
    const auto found = std::lower_bound(cumulative.begin(), cumulative.end(), draw_uniform(stream) * sum);
    ++times[static_cast<std::size_t>(found - cumulative.begin())];
  }
  ChainPlan plan;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] == 0) continue;
    plan.starts.push_back(static_cast<Index>(i));
    plan.lengths.push_back(times[i]);
  }
  return plan;
}

}  // namespace

ChainPlan grow(Growth growth, const Vector& weights, Index num_samples, Index chain_length, Stream& stream) {
  ChainPlan plan = growth == Growth::equal ? equal_chains(weights, num_samples, chain_length, stream)
                                           : tmcmc_chains(weights, num_samples, stream);
  plan.group_begin = {0, static_cast<Index>(plan.starts.size())};
  return plan;
}

ChainPlan grow_in_groups(Growth growth, const Vector& weights, const Population& markers, Index num_samples,
                         Index chain_length, Stream& stream) {
  const Index num_groups = markers.num_groups();
  const Index samples_per_group = (num_samples + num_groups - 1) / num_groups;
  ChainPlan all;
  all.group_begin.push_back(0);
  for (Index g = 0; g < num_groups; ++g) {
    Index first = markers.first_state_of_group(g);
    Index size = markers.first_state_of_group(g + 1) - first;
    if (!(weights.segment(first, size).sum() > 0.0)) {
      first = 0;
      size = weights.size();
    }
    const Vector group_weights = weights.segment(first, size) / weights.segment(first, size).sum();
    const ChainPlan group = grow(growth, group_weights, samples_per_group, chain_length, stream);
    for (const Index start : group.starts) all.starts.push_back(first + start);
    all.lengths.insert(all.lengths.end(), group.lengths.begin(), group.lengths.end());
    all.group_begin.push_back(static_cast<Index>(all.starts.size()));
  }
  return all;
}

namespace {

Index wanted_chain_length(Index dim) {
  return dim <= 4 ? 10 : dim == 5 ? 20 : 50;
}

}  // namespace

Index default_chain_length(Index dim, Index num_samples) {
  return std::clamp<Index>(num_samples / kMinChains, 1, wanted_chain_length(dim));
}

// Up to four dimensions half as long is as good.
Index least_chain_length(Index dim) {
  return dim <= 4 ? wanted_chain_length(dim) / 2 : wanted_chain_length(dim);
}

}  // namespace ta2s2
