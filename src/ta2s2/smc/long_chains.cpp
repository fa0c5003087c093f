#include "ta2s2/smc/sampler_result.hpp"

#include <algorithm>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/smc/unbounded_target.hpp"

namespace ta2s2 {
namespace {

constexpr Index kStartsPerChain = 64;  // of which a chain takes the first with a density
constexpr Index kWarmUpPhases = 5;
constexpr Index kShortestPhase = 20;

// Each warm-up phase is half as long as the next, the last one half as long as the sampling phase: they cost as much as
// the sample.
std::vector<Index> phase_lengths(Index sampling_length) {
  std::vector<Index> lengths = {sampling_length};
  for (Index phase = 0; phase < kWarmUpPhases; ++phase) lengths.push_back(std::max(lengths.back() / 2, kShortestPhase));
  std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

// Points without a density tell nothing of where to go.
LogWeights weights_of(const Population& population) {
  std::vector<double> log_weights;
  for (const Energy& energy : population.energies) log_weights.push_back(energy.possible() ? 0.0 : -kInfinity);
  return LogWeights(std::move(log_weights));
}

std::vector<Index> first_possible_of_groups(const Population& starts) {
  std::vector<Index> chosen;
  for (Index g = 0; g < starts.num_groups(); ++g) {
    Index i = starts.first_state_of_group(g);
    const Index end = starts.first_state_of_group(g + 1);
    while (i < end && !starts.energies[static_cast<std::size_t>(i)].possible()) ++i;
    if (i == end) {
      throw Error(ErrorCode::bad_data, "none of the " + std::to_string(kStartsPerChain) +
                                           " start points of a chain has a finite density; widen the box or check the "
                                           "model for these data");
    }
    chosen.push_back(i);
  }
  return chosen;
}

std::vector<Index> ends_of_chains(const Population& population) {
  std::vector<Index> ends;
  for (Index c = 0; c < population.num_chains(); ++c) {
    ends.push_back(population.chain_begin[static_cast<std::size_t>(c) + 1] - 1);
  }
  return ends;
}

class LongChains {
 public:
  LongChains(const TargetDensity& target, const AnnealOptions& options, Execution context)
      : options_(options),
        context_(context),
        kernel_(make_move(options.kernel)),
        space_(target, *kernel_, options.coordinates) {}

  SamplerResult run() && {
    draw_starts();
    const Index sampling_length = (options_.num_samples + options_.num_groups - 1) / options_.num_groups;
    const std::vector<Index> lengths = phase_lengths(sampling_length);
    for (std::size_t phase = 0; phase < lengths.size(); ++phase) {
      run_phase(lengths[phase], static_cast<Index>(lengths.size() - phase) - 1);
    }
    run_.states = equally_weighted(in_batches(space_.reported(*states_)));
    run_.num_draws = run_.states.size();
    return std::move(run_);
  }

 private:
  void draw_starts() {
    const auto begin = Clock::now();
    LevelMoves moves = draw_start_points(space_.moved(), kStartsPerChain * options_.num_groups, options_.seed,
                                         context_.executor, options_.num_groups);
    heads_ = first_possible_of_groups(moves.population);
    report(moves, 1.0, begin, kWarmUpPhases + 1);
    states_ = std::make_shared<const Population>(std::move(moves.population));
  }

  void run_phase(Index length, Index phases_left) {
    const auto begin = Clock::now();
    const LevelPlan plan = agreed_plan(plan_phase(length), context_.executor);
    LevelMoves moves = grow_chains(space_.moved(), *kernel_, plan, options_.seed, context_.executor);
    report(moves, plan.walk_scale, begin, phases_left);
    walk_scale_ = adapt_walk_scale(walk_scale_, *kernel_, moves.parts, plan.dim());
    mixture_ = plan.mixture;
    heads_ = ends_of_chains(moves.population);
    states_ = std::make_shared<const Population>(std::move(moves.population));
  }

  // As a level's, at beta = 1, but that chains go on from where they were.
  LevelPlan plan_phase(Index length) const {
    const auto level = static_cast<Index>(run_.levels.size());
    AnnealOptions options = options_;
    options.growth = Growth::equal;
    LevelPlan plan = plan_level({level, 1.0, walk_scale_, mixture_}, states_, weights_of(*states_), *kernel_, options,
                                &context_.executor);
    plan.chains.starts = heads_;
    plan.chains.lengths.assign(heads_.size(), length);
    plan.chains.group_begin.resize(heads_.size() + 1);
    std::iota(plan.chains.group_begin.begin(), plan.chains.group_begin.end(), Index{0});
    return plan;
  }

  void report(const LevelMoves& moves, double walk_scale, Clock::time_point begin, Index phases_left) {
    LevelSummary report = describe_level(moves, space_.reported(moves.population));
    report.level = static_cast<Index>(run_.levels.size());
    report.beta = 1.0;
    report.walk_scale = walk_scale;
    report.effective_sample_size = static_cast<double>(report.num_states);  // nothing is weighted
    report.levels_left = phases_left;
    report.seconds = seconds_since(begin);
    run_.levels.push_back(std::move(report));
    if (context_.observer.on_level(run_.levels.back()) == Observer::Verdict::go_on) return;
    throw Error(ErrorCode::interrupted, "stopped in phase " + std::to_string(run_.levels.back().level));
  }

  const AnnealOptions& options_;
  Execution context_;
  std::unique_ptr<Move> kernel_;
  ChainSpace space_;
  std::shared_ptr<const Population> states_;  // of the last phase, in the coordinates where chains move
  std::vector<Index> heads_;                  // where each chain goes on, in `states_`
  double walk_scale_ = 1.0;
  ProposalMixture mixture_;
  SamplerResult run_;
};

}  // namespace

SamplerResult run_long_chains(const TargetDensity& target, const AnnealOptions& options, Execution context) {
  return LongChains(target, options, context).run();
}

}  // namespace ta2s2
