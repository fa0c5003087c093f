#include "ta2s2/smc/tempering.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/hamiltonian_move.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/smc/schedule.hpp"

namespace ta2s2 {
namespace {

constexpr double kWantedAcceptance = 0.8;
// Steps that are tried before a level, relative to the last one's.
constexpr double kShortestTrial = 0.35, kLongestTrial = 2.2;
constexpr double kJumpChance = 0.25;  // of a radial move, and of a map between components, at a step
constexpr Index kMostLevels = 400;

class Run {
 public:
  Run(const PathTarget& path, const Reference* reference, const TemperingOptions& options, Execution context)
      : path_(path),
        reference_(reference),
        options_(options),
        context_(context),
        move_(path, reference),
        fallback_(make_move({})) {
    result_.step = options.first_step;
    metric_ = options.metric;
  }

  TemperingResult run() && {
    start();
    while (beta_ < 1.0) {
      if (static_cast<Index>(result_.levels.size()) > kMostLevels) {
        throw Error(ErrorCode::bad_data, "the sampler takes too many levels: the density changes too much");
      }
      advance();
    }
    for (const LevelSummary& level : result_.levels) result_.log_evidence += level.log_mean_weight;
    result_.log_evidence_error = std::sqrt(lineage_variance(terms_));
    result_.drift = drift_variance_ > 0.0 ? drift_sum_ / std::sqrt(drift_variance_) : 0.0;
    return std::move(result_);
  }

 private:
  Executor& executor() { return context_.executor; }
  bool follows_gradient() const { return path_.has_gradient(); }
  const Move& kernel() const { return follows_gradient() ? static_cast<const Move&>(move_) : *fallback_; }
  const Population& states() const { return *result_.populations.back(); }
  Index level_number() const { return options_.first_level + static_cast<Index>(result_.levels.size()); }
  Stream stream_for(Purpose purpose, Index step = 0) const {
    return Stream(
        {options_.seed, purpose, static_cast<std::uint64_t>(level_number()), 0, static_cast<std::uint64_t>(step)});
  }

  void start() {
    const auto begin = Clock::now();
    LevelMoves moves = draw_start_points(path_, options_.num_start, start_seed(), executor());
    const auto is_possible = [](const Energy& energy) { return energy.possible(); };
    const auto& energies = moves.population.energies;
    if (std::none_of(energies.begin(), energies.end(), is_possible)) {
      throw Error(ErrorCode::bad_data, "none of the " + std::to_string(options_.num_start) +
                                           " start points has a finite density; widen the box or check the model for "
                                           "these data");
    }
    auto population = std::make_shared<const Population>(std::move(moves.population));
    LevelSummary summary = describe_level(moves, *population);
    summary.effective_sample_size = static_cast<double>(population->size());
    finish_level(summary, std::move(population), begin);
  }

  // Streams of start points know no level: a seed of its own for every run.
  std::uint64_t start_seed() const {
    return Stream({options_.seed, Purpose::start_point, static_cast<std::uint64_t>(options_.first_level), 0, 0}).bits();
  }

  void finish_level(LevelSummary& summary, std::shared_ptr<const Population> population, Clock::time_point begin) {
    result_.populations.push_back(std::move(population));
    summary.stage = options_.stage;
    summary.level = static_cast<Index>(result_.levels.size());
    summary.beta = beta_;
    summary.seconds = seconds_since(begin);
    result_.levels.push_back(std::move(summary));
    const auto verdict = context_.observer.on_level(result_.levels.back());
    if (verdict == Observer::Verdict::stop) {
      throw Error(ErrorCode::interrupted, "stopped at level " + std::to_string(result_.levels.back().level));
    }
  }

  void advance() {
    const auto begin = Clock::now();
    const double next = executor().agree({EssSchedule(options_.ess_target).next(states().energies, beta_)}).front();
    const LogWeights weights = reweight(states().energies, next - beta_);
    beta_ = next;
    if (!options_.metric) adapt_metric(weights);
    LevelPlan plan = agreed_plan(plan_level(weights), executor());
    LevelMoves moves;
    if (follows_gradient()) tune(plan, moves);
    grow(plan, options_.chain_length, moves);
    LevelSummary summary = describe_level(moves, moves.population);
    summary.walk_scale = plan.walk_scale;
    terms_.push_back(describe_weights(summary, weights, states()));
    if (beta_ >= 1.0 && options_.wanted_draws > 0.0) lengthen(plan, moves, summary);
    add_drift(moves.population);
    summary = merged(summary, moves);
    if (!follows_gradient()) {
      walk_scale_ = adapt_walk_scale(walk_scale_, kernel(), moves.parts, path_.dim());
    }
    finish_level(summary, std::make_shared<const Population>(std::move(moves.population)), begin);
  }

  // The covariance of the weighted states, drawn a little towards the one before: few chains tell it badly.
  void adapt_metric(const LogWeights& weights) {
    const WeightedMoments moments = weighted_moments(states().positions, weights.normalised());
    Matrix covariance = moments.covariance;
    if (metric_) {
      const auto d = static_cast<double>(path_.dim());
      const double ess = weights.effective_sample_size();
      const double of_chains =
          2.0 * static_cast<double>(states().num_chains()) * ess / static_cast<double>(states().size());
      const double lean = std::min(0.5, d / (d + std::min(ess, of_chains)));
      const Matrix before = metric_->factor * metric_->factor.transpose();
      const Matrix relative = before.llt().solve(covariance);
      covariance = (1.0 - lean) * covariance + lean * std::min(relative.trace() / d, 1.5) * before;
    }
    covariance.diagonal() *= 1.0 + 1e-10;
    metric_ = RunMetric{moments.mean, regularised_factor(covariance)};
  }

  LevelPlan plan_level(const LogWeights& weights) {
    LevelPlan plan;
    plan.level = level_number();
    plan.beta = beta_;
    plan.covariance_factor = metric_->factor;
    plan.walk_scale = walk_scale_;
    if (!follows_gradient()) plan.mixture = reference_->mixture();
    Stream stream = stream_for(Purpose::resample);
    plan.chains.starts = systematic_resample(weights.normalised(), options_.num_chains, stream);
    plan.chains.lengths.assign(plan.chains.starts.size(), options_.chain_length);
    plan.chains.group_begin = {0, static_cast<Index>(plan.chains.starts.size())};
    plan.markers = result_.populations.back();
    return plan;
  }

  // One step of every chain, each with a leapfrog step of its own, that is not kept: the longest step whose
  // trajectories are accepted as often as they should be is the level's.
  void tune(LevelPlan& plan, LevelMoves& moves) {
    plan.hamiltonian.centre = metric_->centre;
    plan.hamiltonian.least_share = kShortestTrial;
    plan.hamiltonian.most_share = kLongestTrial;
    plan.hamiltonian.step = result_.step;
    plan.hamiltonian.choices = {{num_leapfrogs(options_.path_length), false, false}};
    LevelPlan trial = plan;
    trial.chains.lengths.assign(plan.chains.starts.size(), 1);
    moves = grow_chains(path_, move_, trial, options_.seed, executor());
    result_.step = executor().agree({result_.step * longest_good_share(trial, moves.acceptance)}).front();
    // The tuned chains go on from where the trial left them.
    plan.markers = std::make_shared<const Population>(std::move(moves.population));
    parents_ = plan.markers->parents;
    for (std::size_t c = 0; c < plan.chains.starts.size(); ++c) plan.chains.starts[c] = static_cast<Index>(c);
    plan.hamiltonian.least_share = HamiltonianPlan{}.least_share;
    plan.hamiltonian.most_share = HamiltonianPlan{}.most_share;
    plan.hamiltonian.step = result_.step;
    plan.first_move = 1;
  }

  int num_leapfrogs(double length) const {
    return std::clamp(static_cast<int>(std::lround(length / result_.step)), 1, options_.most_leapfrogs);
  }

  // Acceptance as a function of the step, smoothed over chains, made to fall; the largest step that still has enough.
  double longest_good_share(const LevelPlan& trial, const std::vector<double>& acceptance) const {
    constexpr int kGrid = 25;
    constexpr double kBandwidth = 0.25;
    std::vector<double> log_shares;
    for (std::size_t c = 0; c < acceptance.size(); ++c) {
      Stream stream({options_.seed, Purpose::move, static_cast<std::uint64_t>(trial.level), c, 0});
      log_shares.push_back(std::log(HamiltonianMove::draw_step_share(trial.hamiltonian, stream)));
    }
    const double low = std::log(kShortestTrial), high = std::log(kLongestTrial);
    double best = low;
    for (int g = 0; g < kGrid; ++g) {
      const double at = low + (high - low) * g / (kGrid - 1);
      double sum = 0.0, weights = 0.0;
      for (std::size_t c = 0; c < acceptance.size(); ++c) {
        const double weight = std::exp(-0.5 * std::pow((at - log_shares[c]) / kBandwidth, 2));
        sum += weight * acceptance[c];
        weights += weight;
      }
      if (!(sum >= kWantedAcceptance * weights)) break;
      best = at;
    }
    return std::exp(best);
  }

  // All chains do the same at the same step.
  std::vector<StepChoice> choices(Index num_moves) const {
    const bool has_components = reference_ != nullptr && reference_->mixture().components().size() > 1;
    std::vector<StepChoice> choices;
    for (Index s = 0; s < num_moves; ++s) {
      Stream stream = stream_for(Purpose::step_choice, s);
      const double length = options_.path_length * (0.6 + 0.6 * draw_uniform(stream));
      const bool is_radial = draw_uniform(stream) < kJumpChance;
      choices.push_back({num_leapfrogs(length), is_radial, has_components && draw_uniform(stream) < kJumpChance});
    }
    return choices;
  }

  // `length` more states of every chain, after those that `moves` has.
  void grow(LevelPlan& plan, Index length, LevelMoves& moves) {
    plan.chains.lengths.assign(plan.chains.starts.size(), length);
    if (follows_gradient()) plan.hamiltonian.choices = choices(plan.first_move + length);
    LevelMoves more = grow_chains(path_, kernel(), plan, options_.seed, executor());
    for (std::size_t i = 0; i < more.impossible.size(); ++i) more.impossible[i] += moves.impossible[i];
    more.evaluations += moves.evaluations;
    more.gradients += moves.gradients;
    if (follows_gradient() || !parents_.empty()) more.population.parents = parents_;
    plan.first_move += length;
    moves = std::move(more);
  }

  LevelSummary merged(LevelSummary summary, const LevelMoves& moves) const {
    LevelSummary all = describe_level(moves, moves.population);
    all.effective_sample_size = summary.effective_sample_size;
    all.log_mean_weight = summary.log_mean_weight;
    all.log_mean_weight_error = summary.log_mean_weight_error;
    all.group_log_mean_weights = summary.group_log_mean_weights;
    all.walk_scale = follows_gradient() ? result_.step : summary.walk_scale;
    all.mixture_components = reference_ != nullptr ? static_cast<int>(reference_->mixture().components().size()) : 0;
    return all;
  }

  // Half as long again, and again, until the states are worth what is wanted.
  void lengthen(LevelPlan& plan, LevelMoves& moves, const LevelSummary& summary) {
    Index length = options_.chain_length;
    while (length < options_.longest_chain && worth(moves, summary) < options_.wanted_draws) {
      const Index more = std::min(std::max<Index>(2, length / 2), options_.longest_chain - length);
      const Population before = std::move(moves.population);
      moves.population = {};
      const std::vector<Index> parents = before.parents;
      const std::vector<PartTally> tallies = moves.parts;
      continue_from(before, plan);
      grow(plan, more, moves);
      add_tallies(tallies, moves.parts);
      moves.population = joined(before, moves.population);
      moves.population.parents = parents;
      length += more;
    }
  }

  static void add_tallies(const std::vector<PartTally>& more, std::vector<PartTally>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i].steps += more[i].steps;
      parts[i].moved += more[i].moved;
      parts[i].evaluations += more[i].evaluations;
      parts[i].squared_jump += more[i].squared_jump;
    }
  }

  static void continue_from(const Population& before, LevelPlan& plan) {
    plan.markers = std::make_shared<const Population>(before);
    for (std::size_t c = 0; c < plan.chains.starts.size(); ++c) plan.chains.starts[c] = before.chain_begin[c + 1] - 1;
  }

  // Chains of both, one after the other.
  static Population joined(const Population& first, const Population& second) {
    Population all;
    all.positions.resize(first.positions.rows(), first.size() + second.size());
    all.chain_begin = {0};
    all.group_begin = first.group_begin;
    Index place = 0;
    for (std::size_t c = 0; c + 1 < first.chain_begin.size(); ++c) {
      for (const Population* part : {&first, &second}) {
        const Index begin = part->chain_begin[c], length = part->chain_begin[c + 1] - begin;
        all.positions.middleCols(place, length) = part->positions.middleCols(begin, length);
        all.energies.insert(all.energies.end(), part->energies.begin() + begin,
                            part->energies.begin() + begin + length);
        place += length;
      }
      all.chain_begin.push_back(place);
    }
    return all;
  }

  double worth(const LevelMoves& moves, const LevelSummary& summary) {
    AnnealResult so_far;
    so_far.populations = result_.populations;
    so_far.populations.push_back(std::make_shared<const Population>(moves.population));
    so_far.levels = result_.levels;
    so_far.levels.push_back(summary);
    so_far.levels.back().beta = 1.0;
    const RecycledSample states = recycle(so_far, &executor());
    const std::vector<Index> roots = lineage_roots(states);
    const double here = lineage_moments(states.positions, states.weights, roots).effective_sample_size();
    const Matrix in_box = space().to_box(states.positions);
    const double there = lineage_moments(in_box, states.weights, roots).effective_sample_size();
    return executor().agree({std::min(here, there)}).front();
  }

  const SamplingSpace& space() const { return reference_->space(); }

  // Of the energy between the first and the last third of every chain.
  void add_drift(const Population& population) {
    const Index num_chains = population.num_chains();
    Vector change(num_chains);
    for (Index c = 0; c < num_chains; ++c) {
      const Index begin = population.chain_begin[static_cast<std::size_t>(c)];
      const Index end = population.chain_begin[static_cast<std::size_t>(c) + 1];
      const Index third = std::max<Index>(1, (end - begin) / 3);
      double sum = 0.0;
      for (Index i = 0; i < third; ++i) {
        sum += population.energies[static_cast<std::size_t>(end - 1 - i)].at(beta_) -
               population.energies[static_cast<std::size_t>(begin + i)].at(beta_);
      }
      change[c] = sum / static_cast<double>(third);
    }
    const double mean = change.mean(), count = static_cast<double>(num_chains);
    drift_sum_ += mean;
    drift_variance_ += (change.array() - mean).square().sum() / (count * (count - 1.0));
  }

  const PathTarget& path_;
  const Reference* reference_;
  const TemperingOptions& options_;
  Execution context_;
  HamiltonianMove move_;
  std::unique_ptr<Move> fallback_;
  TemperingResult result_;
  std::optional<RunMetric> metric_;
  std::vector<LevelExcess> terms_;
  std::vector<Index> parents_;  // of the level's chains, through the trial that came first
  double beta_ = 0.0, walk_scale_ = 1.0, drift_sum_ = 0.0, drift_variance_ = 0.0;
};

}  // namespace

TemperingResult temper(const PathTarget& path, const Reference* reference, const TemperingOptions& options,
                       Execution context) {
  return Run(path, reference, options, context).run();
}

std::vector<Index> lineage_roots(const WeightedPopulation& states) {
  std::vector<Index> roots(static_cast<std::size_t>(states.size()));
  std::vector<Index> of_level, of_level_before;  // by chain
  Index level = 0;
  for (Index c = 0; c < states.num_chains(); ++c) {
    const auto chain = static_cast<std::size_t>(c);
    if (states.chain_levels[chain] != level) {
      level = states.chain_levels[chain];
      of_level_before = std::exchange(of_level, {});
    }
    const Index root = level == 0 ? c : of_level_before[static_cast<std::size_t>(states.parents[chain])];
    of_level.push_back(root);
    std::fill(roots.begin() + states.chain_begin[chain], roots.begin() + states.chain_begin[chain + 1], root);
  }
  return roots;
}

LineageMoments lineage_moments(const Matrix& values, const Vector& weights, const std::vector<Index>& roots) {
  const Index d = values.rows();
  const Index num_roots = roots.empty() ? 0 : *std::max_element(roots.begin(), roots.end()) + 1;
  LineageMoments moments;
  moments.mean = values * weights;
  Matrix centred = values.colwise() - moments.mean;
  const Vector variance = centred.array().square().matrix() * weights;
  moments.sd = variance.cwiseSqrt();
  Matrix of_mean = Matrix::Zero(d, num_roots), of_log_sd = of_mean;
  const Vector reciprocal = variance.cwiseMax(1e-300).cwiseInverse();
  for (Index i = 0; i < values.cols(); ++i) {
    const Index root = roots[static_cast<std::size_t>(i)];
    of_mean.col(root) += weights[i] * centred.col(i);
    of_log_sd.col(root).array() += 0.5 * weights[i] * (centred.col(i).array().square() * reciprocal.array() - 1.0);
  }
  moments.mean_error = of_mean.rowwise().norm();
  moments.log_sd_error = of_log_sd.rowwise().norm();
  return moments;
}

}  // namespace ta2s2
