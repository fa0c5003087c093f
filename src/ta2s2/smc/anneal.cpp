#include "ta2s2/smc/anneal.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/level_plan.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/smc/schedule.hpp"
#include "ta2s2/smc/unbounded_target.hpp"

namespace ta2s2 {
namespace {

struct AnnealState {
  double beta = 0.0;
  double walk_scale = 1.0;
  ProposalMixture mixture;  // the last level's
  double sd_energy_at_one = 0.0;
  std::shared_ptr<const Population> population;  // the last level's, as its chains saw it
  AnnealResult result;                           // whose populations are as they are reported
  std::vector<LevelExcess> terms;                // of the levels up to beta = 1, as the evidence's are
};

// What is annealed, and how.
struct Task {
  const TargetDensity& target;
  const Move& kernel;
  const AnnealOptions& options;
  ChainSpace space;
};

void require_possible_points(const Population& population) {
  for (const Energy& energy : population.energies) {
    if (energy.possible()) return;
  }
  throw Error(ErrorCode::bad_data,
              "none of the " + std::to_string(population.size()) +
                  " start points has a finite density; widen the box or check the model for these data");
}

void check(const AnnealOptions& options) {
  if (options.num_groups < 1) throw Error(ErrorCode::usage, "there must be at least one group of chains");
  if (options.num_samples < 2 || options.chain_length < 0) {
    throw Error(ErrorCode::usage, "a level needs at least two samples and chains of no negative length");
  }
  if (!(options.ess_target > 0.0 && options.ess_target < 1.0)) {
    throw Error(ErrorCode::usage, "the ESS target must lie between 0 and 1: at 1 no temperature could change");
  }
}

LevelMoves given_points(const StartStates& start, const Task& task, Executor& executor) {
  LevelMoves moves;
  moves.population = {task.space.entered(start.positions), {}, start.chain_begin, start.group_begin};
  moves.population.energies = energies_of(task.space.moved(), moves.population.positions, executor);
  for (const Energy& energy : moves.population.energies) ++moves.impossible[static_cast<std::size_t>(energy.reason)];
  moves.evaluations = moves.population.size();
  return moves;
}

AnnealState initial_state(const Task& task, const StartStates* start, Executor& executor) {
  const auto begin = Clock::now();
  const AnnealOptions& options = task.options;
  LevelMoves moves = start != nullptr ? given_points(*start, task, executor)
                                      : draw_start_points(task.space.moved(), options.num_samples, options.seed,
                                                          executor, std::min(options.num_groups, options.num_samples));
  require_possible_points(moves.population);
  AnnealState state;
  state.population = std::make_shared<const Population>(std::move(moves.population));
  state.result.populations.push_back(task.space.reported(state.population, executor));
  LevelSummary report = describe_level(moves, state.result.final());
  report.effective_sample_size = static_cast<double>(state.population->size());
  report.seconds = seconds_since(begin);
  state.result.levels.push_back(std::move(report));
  return state;
}

bool is_finished(const AnnealState& state, const AnnealOptions& options, Executor& executor) {
  if (state.beta < 1.0) return false;
  if (!options.anneal_to_zero) return true;
  // sd(H), unlike the paper's struck-out coefficient of variation, does not depend on a constant added to H.
  const bool is_cold = state.result.levels.back().sd_energy <= options.cooling_threshold * state.sd_energy_at_one;
  return executor.agree({is_cold ? 1.0 : 0.0}).front() != 0.0;
}

// (4.6), (4.7), (4.13), (4.14), then Algorithm 1's place is taken by the kernel.
void advance_one_level(AnnealState& state, const Task& task, Executor& executor) {
  const auto begin = Clock::now();
  const EssSchedule schedule(task.options.ess_target);
  const Population& population = *state.population;
  const double last = state.beta < 1.0 ? 1.0 : kInfinity;
  const double next = executor.agree({schedule.next(population.energies, state.beta, last)}).front();
  const LogWeights weights = reweight(population.energies, next - state.beta);
  const auto level = static_cast<Index>(state.result.levels.size());
  const LevelPlan plan = agreed_plan(plan_level({level, next, state.walk_scale, state.mixture}, state.population,
                                                weights, task.kernel, task.options, &executor),
                                     executor);
  LevelMoves moves = grow_chains(task.space.moved(), task.kernel, plan, task.options.seed, executor);

  auto moved = std::make_shared<const Population>(std::move(moves.population));
  state.result.populations.push_back(task.space.reported(moved, executor));
  LevelSummary report = describe_level(moves, state.result.final());
  report.level = level;
  report.beta = next;
  report.walk_scale = plan.walk_scale;
  report.mixture_components = static_cast<int>(plan.mixture.components().size());
  LevelExcess term = describe_weights(report, weights, population);
  state.population = std::move(moved);
  report.seconds = seconds_since(begin);

  state.walk_scale = adapt_walk_scale(state.walk_scale, task.kernel, moves.parts, task.target.dim());
  if (next <= 1.0) state.terms.push_back(std::move(term));
  state.mixture = plan.mixture;
  state.beta = next;
  if (next == 1.0) state.sd_energy_at_one = report.sd_energy;
  state.result.levels.push_back(std::move(report));
}

// The evidence is that of beta = 1: levels beyond it, towards zero temperature, do not count.
void sum_evidence(AnnealState& state) {
  for (const LevelSummary& level : state.result.levels) {
    if (level.beta > 1.0) break;
    state.result.log_evidence += level.log_mean_weight;
  }
  state.result.log_evidence_error = std::sqrt(lineage_variance(state.terms));
}

AnnealResult run_levels(const TargetDensity& target, const StartStates* start, const AnnealOptions& options,
                        Execution context) {
  check(options);
  const std::unique_ptr<Move> kernel = make_move(options.kernel);
  const Task task{target, *kernel, options, ChainSpace(target, *kernel, options.coordinates)};

  AnnealState state = initial_state(task, start, context.executor);  // (4.3), beta = 0
  auto verdict = context.observer.on_level(state.result.levels.back());
  while (!is_finished(state, options, context.executor)) {
    if (verdict == Observer::Verdict::stop) {
      throw Error(ErrorCode::interrupted, "stopped at level " + std::to_string(state.result.levels.back().level));
    }
    advance_one_level(state, task, context.executor);
    verdict = context.observer.on_level(state.result.levels.back());
  }
  sum_evidence(state);
  return std::move(state.result);
}

}  // namespace

std::vector<double> AnnealResult::group_log_evidences() const {
  std::vector<double> sums(static_cast<std::size_t>(final().num_groups()), 0.0);
  for (const LevelSummary& level : levels) {
    if (level.beta > 1.0) break;
    for (std::size_t g = 0; g < level.group_log_mean_weights.size(); ++g) sums[g] += level.group_log_mean_weights[g];
  }
  return sums;
}

std::int64_t AnnealResult::evaluations() const {
  std::int64_t sum = 0;
  for (const LevelSummary& level : levels) sum += level.evaluations;
  return sum;
}

AnnealResult anneal(const TargetDensity& target, const AnnealOptions& options, Execution context) {
  return run_levels(target, nullptr, options, context);
}

AnnealResult anneal_from(const StartStates& start, const TargetDensity& target, const AnnealOptions& options,
                         Execution context) {
  return run_levels(target, &start, options, context);
}

}  // namespace ta2s2
