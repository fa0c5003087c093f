#include "ta2s2/smc/level_summary.hpp"

#include <cmath>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/posterior.hpp"

namespace ta2s2 {
namespace {

void describe_states(LevelSummary& report, const Population& population) {
  double count = 0.0, squares = 0.0;
  for (const Energy& energy : population.energies) {
    if (!energy.possible()) continue;
    count += 1.0;
    const double delta = energy.total() - report.mean_energy;
    report.mean_energy += delta / count;  // Welford
    squares += delta * (energy.total() - report.mean_energy);
  }
  report.sd_energy = count > 1.0 ? std::sqrt(squares / (count - 1.0)) : 0.0;
  report.num_states = population.size();
  report.num_chains = population.num_chains();
}

std::vector<double> excess_of_chains(const LogWeights& weights, const Population& population) {
  std::vector<double> excess;
  for (Index c = 0; c < population.num_chains(); ++c) {
    const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
    const Index length = population.chain_begin[static_cast<std::size_t>(c) + 1] - begin;
    const double share = static_cast<double>(length) / static_cast<double>(population.size());
    excess.push_back(weights.normalised().segment(begin, length).sum() - share);
  }
  return excess;
}

std::vector<double> group_log_means(const LogWeights& weights, const Population& population) {
  std::vector<double> log_means;
  for (Index g = 0; g < population.num_groups(); ++g) {
    const Index first = population.first_state_of_group(g);
    const Index end = population.first_state_of_group(g + 1);
    const std::span group(weights.values().data() + first, static_cast<std::size_t>(end - first));
    log_means.push_back(log_sum_exp(group) - std::log(static_cast<double>(end - first)));
  }
  return log_means;
}

}  // namespace

LevelSummary describe_level(const LevelMoves& moves, const Population& reported) {
  LevelSummary report;
  report.evaluations = moves.evaluations;
  report.gradients = moves.gradients;
  report.impossible = moves.impossible;
  report.parts = moves.parts;
  describe_states(report, reported);
  return report;
}

LevelExcess describe_weights(LevelSummary& report, const LogWeights& weights, const Population& population) {
  LevelExcess term{excess_of_chains(weights, population), population.parents};
  report.effective_sample_size = weights.effective_sample_size();
  report.log_mean_weight = weights.log_mean();
  report.log_mean_weight_error = std::sqrt(level_variance(term));
  report.group_log_mean_weights = group_log_means(weights, population);
  return term;
}

double LevelSummary::acceptance() const {
  PartTally all;
  for (const PartTally& part : parts) {
    all.steps += part.steps;
    all.moved += part.moved;
  }
  return all.acceptance();
}

}  // namespace ta2s2
