#include "ta2s2/smc/sampler_result.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/smc/unbounded_target.hpp"

namespace ta2s2 {
namespace {

// Particles that descend from one so many moves ago are taken to resemble each other still. One value was tried: with
// the default moves Franke's effective sizes agree with the scatter over seeds, with one move they are up to twice too
// large.
constexpr Index kForgottenAfter = 40;

// The target given some of the data, and where chains move under it.
struct Stage {
  std::unique_ptr<TargetDensity> target;
  ChainSpace space;

  Stage(std::unique_ptr<TargetDensity> given, const Move& kernel, Coordinates coordinates)
      : target(std::move(given)), space(*target, kernel, coordinates) {}
};

// A chain's last state, and nothing before it.
Population last_states(const Population& grown) {
  Population last;
  last.positions.resize(grown.positions.rows(), grown.num_chains());
  last.chain_begin = {0};
  last.group_begin = grown.group_begin;
  last.parents = grown.parents;
  for (Index c = 0; c < grown.num_chains(); ++c) {
    const Index at = grown.chain_begin[static_cast<std::size_t>(c) + 1] - 1;
    last.positions.col(c) = grown.positions.col(at);
    last.energies.push_back(grown.energies[static_cast<std::size_t>(at)]);
    last.chain_begin.push_back(c + 1);
  }
  return last;
}

// What a datum tells of a particle: its predictive density given the data before, p_{t+1} / p_t. A prior that depends
// on the data's design enters as its own ratio.
LogWeights weigh(std::span<const Energy> before, std::span<const Energy> after) {
  std::vector<double> log_weights(before.size(), -kInfinity);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].possible() && after[i].possible()) log_weights[i] = before[i].total() - after[i].total();
  }
  return LogWeights(std::move(log_weights));
}

// Chains are what may be taken as independent: particles whose ancestor was the same before all of `parents`. They
// stand together, because systematic resampling keeps their order.
Population join_relatives(Population particles, std::span<const std::vector<Index>> parents) {
  if (parents.empty()) return particles;
  std::vector<Index> ancestors(static_cast<std::size_t>(particles.size()));
  for (Index i = 0; i < particles.size(); ++i) {
    Index ancestor = i;
    for (auto generation = parents.rbegin(); generation != parents.rend(); ++generation) {
      ancestor = (*generation)[static_cast<std::size_t>(ancestor)];
    }
    ancestors[static_cast<std::size_t>(i)] = ancestor;
  }
  std::vector<Index> chain_begin, group_begin;
  for (Index g = 0; g < particles.num_groups(); ++g) {
    group_begin.push_back(static_cast<Index>(chain_begin.size()));
    const Index first = particles.first_state_of_group(g);
    for (Index i = first; i < particles.first_state_of_group(g + 1); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (i == first || ancestors[at] != ancestors[at - 1]) chain_begin.push_back(i);
    }
  }
  group_begin.push_back(static_cast<Index>(chain_begin.size()));
  chain_begin.push_back(particles.size());
  particles.chain_begin = std::move(chain_begin);
  particles.group_begin = std::move(group_begin);
  particles.parents.clear();
  return particles;
}

class Learner {
 public:
  Learner(const TargetSequence& targets, const AnnealOptions& options, Execution context)
      : targets_(targets), options_(options), context_(context), kernel_(make_move(options.kernel)) {}

  SamplerResult run() && {
    start();
    tell();
    while (num_data_ < targets_.last) {
      ++num_data_;
      learn_one();
      tell();
    }
    evidence_.standard_error = std::hypot(start_error_, std::sqrt(lineage_variance(terms_, generations_remembered())));
    run_.evidence = std::move(evidence_);
    run_.states = equally_weighted(join_relatives(stage_->space.reported(*particles_), recent_parents()));
    run_.num_draws = run_.states.size();
    return std::move(run_);
  }

 private:
  std::unique_ptr<Stage> stage_given(Index num_data) const {
    return std::make_unique<Stage>(targets_.given_first(num_data), *kernel_, options_.coordinates);
  }

  // The first target is given few data: the default annealing finds it in a few levels.
  void start() {
    const auto begin = Clock::now();
    num_data_ = targets_.first;
    stage_ = stage_given(num_data_);
    AnnealOptions annealing;
    annealing.num_samples = options_.num_samples;
    annealing.ess_target = options_.ess_target;
    annealing.num_groups = options_.num_groups;
    annealing.seed = options_.seed;
    annealing.simd = options_.simd;
    Observer silent;
    AnnealResult result = anneal(stage_->space.moved(), annealing, {context_.executor, silent});
    first_level_ = static_cast<Index>(result.levels.size());
    evidence_ = {result.log_evidence, 0.0, result.group_log_evidences()};
    start_error_ = result.log_evidence_error;
    particles_ = result.populations.back();

    LevelMoves moves{*particles_, result.levels.back().parts, {}, 0};
    for (const LevelSummary& level : result.levels) {
      moves.evaluations += level.evaluations;
      for (std::size_t r = 0; r < moves.impossible.size(); ++r) moves.impossible[r] += level.impossible[r];
    }
    LevelSummary report = describe_level(moves, stage_->space.reported(*particles_));
    report.effective_sample_size = result.levels.back().effective_sample_size;
    report.log_mean_weight = result.log_evidence;
    report.log_mean_weight_error = result.log_evidence_error;
    add(std::move(report), begin);
  }

  void learn_one() {
    const auto begin = Clock::now();
    auto next = stage_given(num_data_);
    Population weighed = *particles_;
    weighed.energies = energies_of(next->space.moved(), particles_->positions, context_.executor);
    const LogWeights weights = weigh(particles_->energies, weighed.energies);
    require_weight(weights);

    LevelMoves moves =
        grow_chains(next->space.moved(), *kernel_, plan(std::move(weighed), weights), options_.seed, context_.executor);
    moves.evaluations += particles_->size();
    LevelSummary report = describe_level(moves, next->space.reported(last_states(moves.population)));
    report.walk_scale = walk_scale_;
    report.mixture_components = static_cast<int>(mixture_.components().size());
    terms_.push_back(describe_weights(report, weights, *particles_));
    evidence_.log_evidence += report.log_mean_weight;
    for (std::size_t g = 0; g < evidence_.by_group.size(); ++g) {
      evidence_.by_group[g] += report.group_log_mean_weights[g];
    }
    walk_scale_ = adapt_walk_scale(walk_scale_, *kernel_, moves.parts, stage_->target->dim());
    particles_ = std::make_shared<const Population>(last_states(moves.population));
    parents_.push_back(particles_->parents);
    stage_ = std::move(next);
    add(std::move(report), begin);
  }

  // Systematic resampling within groups; every particle then makes its moves.
  LevelPlan plan(Population weighed, const LogWeights& weights) {
    AnnealOptions one_each = options_;
    one_each.growth = Growth::equal;
    one_each.chain_length = 1;
    const Index level = first_level_ + num_data_;  // names its streams; annealing used the first ones
    LevelPlan plan =
        plan_level({level, 1.0, walk_scale_, mixture_}, std::make_shared<const Population>(std::move(weighed)), weights,
                   *kernel_, one_each, &context_.executor);
    std::fill(plan.chains.lengths.begin(), plan.chains.lengths.end(), num_moves());
    plan = agreed_plan(std::move(plan), context_.executor);
    mixture_ = plan.mixture;
    return plan;
  }

  Index num_moves() const {
    return options_.chain_length > 0 ? options_.chain_length : default_moves(stage_->target->dim());
  }

  std::size_t generations_remembered() const {
    return static_cast<std::size_t>((kForgottenAfter + num_moves() - 1) / num_moves());
  }

  std::span<const std::vector<Index>> recent_parents() const {
    return std::span(parents_).last(std::min(parents_.size(), generations_remembered()));
  }

  void require_weight(const LogWeights& weights) const {
    if (std::isfinite(weights.log_mean())) return;
    throw Error(ErrorCode::bad_data, "no particle can explain run " + std::to_string(num_data_) +
                                         ": each has density 0 given it; raise --samples, or use --sampler ta2s2");
  }

  void add(LevelSummary report, Clock::time_point begin) {
    report.level = static_cast<Index>(run_.levels.size());
    report.beta = 1.0;
    report.levels_left = targets_.last - targets_.first - report.level;
    report.seconds = seconds_since(begin);
    run_.levels.push_back(std::move(report));
  }

  void tell() {
    if (context_.observer.on_level(run_.levels.back()) == Observer::Verdict::go_on) return;
    throw Error(ErrorCode::interrupted, "stopped after run " + std::to_string(num_data_));
  }

  const TargetSequence& targets_;
  const AnnealOptions& options_;
  Execution context_;
  std::unique_ptr<Move> kernel_;

  std::unique_ptr<Stage> stage_;                 // given the data so far
  std::shared_ptr<const Population> particles_;  // of `stage_`, in the coordinates where they move
  std::vector<std::vector<Index>> parents_;      // of the particles after each datum
  Index num_data_ = 0, first_level_ = 0;
  double walk_scale_ = 1.0;
  ProposalMixture mixture_;
  EvidenceEstimate evidence_;
  double start_error_ = 0.0;
  std::vector<LevelExcess> terms_;
  SamplerResult run_;
};

}  // namespace

Index default_moves(Index dim) {
  return dim <= 4 ? 5 : 10;
}

SamplerResult learn_particles(const TargetSequence& targets, const AnnealOptions& options, Execution context) {
  return Learner(targets, options, context).run();
}

}  // namespace ta2s2
