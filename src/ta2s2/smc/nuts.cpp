#include "ta2s2/smc/nuts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ta2s2/base/log_math.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/level_summary.hpp"
#include "ta2s2/smc/unbounded_target.hpp"

namespace ta2s2 {

Hamiltonian::Hamiltonian(const DifferentiableTarget& target, Workspace& workspace, Matrix metric_factor)
    : target_(target), workspace_(workspace), factor_(std::move(metric_factor)) {}

PhasePoint Hamiltonian::at(Vector position) {
  PhasePoint point;
  point.momentum = Vector::Zero(position.size());
  point.position = std::move(position);
  evaluate(point);
  return point;
}

void Hamiltonian::draw_momentum(PhasePoint& point, Stream& stream) const {
  point.momentum = draw_normals(stream, point.position.size());
}

void Hamiltonian::leapfrog(PhasePoint& point, double step) {
  kick(point, 0.5 * step);
  drift(point, step);
  evaluate(point);
  if (point.energy.possible()) kick(point, 0.5 * step);
}

double Hamiltonian::total(const PhasePoint& point) const {
  return point.energy.total() + 0.5 * point.momentum.squaredNorm();
}

void Hamiltonian::kick(PhasePoint& point, double step) const {
  point.momentum -= factor_.transpose().triangularView<Eigen::Upper>() * (step * point.gradient);
}

void Hamiltonian::drift(PhasePoint& point, double step) const {
  point.position += factor_.triangularView<Eigen::Lower>() * (step * point.momentum);
}

void Hamiltonian::evaluate(PhasePoint& point) {
  point.energy = target_.energy_and_gradient(point.position, workspace_, point.gradient);
  ++gradient_evaluations_;
}

namespace {

// A stretch of states, in order of time.
struct Trajectory {
  PhasePoint begin, end;
  Vector momentum_sum;
  double log_weight;  // of the sum of exp(-energy error) over its states
  PhasePoint chosen;  // one of its states
};

bool turns(const Vector& first, const Vector& last, const Vector& momentum_sum) {
  return !(first.dot(momentum_sum) > 0.0 && last.dot(momentum_sum) > 0.0);
}

// The generalised criterion over the whole, and over either part with the nearest state of the other: a trajectory can
// turn between two parts of which neither does.
bool turns(const Trajectory& early, const Trajectory& late) {
  return turns(early.begin.momentum, late.end.momentum, early.momentum_sum + late.momentum_sum) ||
         turns(early.begin.momentum, late.begin.momentum, early.momentum_sum + late.begin.momentum) ||
         turns(early.end.momentum, late.end.momentum, late.momentum_sum + early.end.momentum);
}

class Tree {
 public:
  Tree(Hamiltonian& hamiltonian, const NutsTuning& tuning, const PhasePoint& start, Stream& stream)
      : hamiltonian_(hamiltonian),
        tuning_(tuning),
        stream_(stream),
        start_energy_(hamiltonian.total(start)),
        all_{start, start, start.momentum, 0.0, start} {}

  // Doubles until it turns; returns the state it chose.
  PhasePoint grow() {
    while (report_.doublings < tuning_.max_doublings && double_once()) {
    }
    report_.acceptance = sum_of_acceptances_ / static_cast<double>(num_tried_);
    return std::move(all_.chosen);
  }

  const NutsTransition& report() const { return report_; }

 private:
  // False if the trajectory is at its end: a part that turns or diverges within is not used at all, one that turns
  // against the rest is.
  bool double_once() {
    const bool forward = draw_uniform(stream_) < 0.5;
    PhasePoint edge = forward ? all_.end : all_.begin;
    std::optional<Trajectory> grown = part(edge, report_.doublings, forward);
    if (!grown) return false;
    ++report_.doublings;
    // Of old and new, the new is preferred: min(1, w_new / w_old), which is still reversible.
    if (std::log(draw_uniform(stream_)) < grown->log_weight - all_.log_weight) all_.chosen = std::move(grown->chosen);
    const bool ended = forward ? turns(all_, *grown) : turns(*grown, all_);
    all_.log_weight = log_add_exp(all_.log_weight, grown->log_weight);
    all_.momentum_sum += grown->momentum_sum;
    (forward ? all_.end : all_.begin) = std::move(edge);
    return !ended;
  }

  // 2^depth states beyond `edge`, which moves along; nothing if they turn or diverge.
  std::optional<Trajectory> part(PhasePoint& edge, int depth, bool forward) {
    if (depth == 0) return single(edge, forward);
    std::optional<Trajectory> near = part(edge, depth - 1, forward);
    if (!near) return std::nullopt;
    std::optional<Trajectory> far = part(edge, depth - 1, forward);
    if (!far) return std::nullopt;
    Trajectory& early = forward ? *near : *far;
    Trajectory& late = forward ? *far : *near;
    if (turns(early, late)) return std::nullopt;
    const double log_weight = log_add_exp(early.log_weight, late.log_weight);
    const bool takes_late = std::log(draw_uniform(stream_)) < late.log_weight - log_weight;
    return Trajectory{std::move(early.begin), std::move(late.end), early.momentum_sum + late.momentum_sum, log_weight,
                      std::move(takes_late ? late.chosen : early.chosen)};
  }

  std::optional<Trajectory> single(PhasePoint& edge, bool forward) {
    hamiltonian_.leapfrog(edge, forward ? tuning_.step : -tuning_.step);
    const double error = hamiltonian_.total(edge) - start_energy_;
    ++num_tried_;
    if (!(error <= kDivergence)) {  // nor if it is no number
      report_.divergent = true;
      return std::nullopt;
    }
    sum_of_acceptances_ += std::min(1.0, std::exp(-error));
    return Trajectory{edge, edge, edge.momentum, -error, edge};
  }

  Hamiltonian& hamiltonian_;
  const NutsTuning& tuning_;
  Stream& stream_;
  double start_energy_;
  Trajectory all_;
  NutsTransition report_;
  double sum_of_acceptances_ = 0.0;
  int num_tried_ = 0;
};

}  // namespace

NutsTransition nuts_transition(Hamiltonian& hamiltonian, const NutsTuning& tuning, PhasePoint& state, Stream& stream) {
  hamiltonian.draw_momentum(state, stream);
  Tree tree(hamiltonian, tuning, state, stream);
  state = tree.grow();
  return tree.report();
}

namespace {

// Hoffman and Gelman's gamma, t_0 and kappa, and the factor by which the first step is tried longer.
constexpr double kShrinkage = 0.05, kStabiliser = 10.0, kForgetting = 0.75, kEagerness = 10.0;

// Stan's windows: transitions before the first, in the first, and after the last.
constexpr Index kBefore = 75, kFirst = 25, kAfter = 50;

}  // namespace

DualAveraging::DualAveraging(double first_step, double wanted_acceptance)
    : wanted_(wanted_acceptance), shrink_towards_(std::log(kEagerness * first_step)), log_step_(std::log(first_step)) {}

void DualAveraging::learn(double acceptance) {
  count_ += 1.0;
  const double share = 1.0 / (count_ + kStabiliser);
  mean_shortfall_ += share * (wanted_ - acceptance - mean_shortfall_);
  log_step_ = shrink_towards_ - std::sqrt(count_) / kShrinkage * mean_shortfall_;
  log_averaged_ += std::pow(count_, -kForgetting) * (log_step_ - log_averaged_);
}

double DualAveraging::step() const {
  return std::exp(log_step_);
}

double DualAveraging::averaged_step() const {
  return std::exp(count_ > 0.0 ? log_averaged_ : log_step_);
}

WarmupWindows warmup_windows(Index num_warmup) {
  Index before = kBefore, length = kFirst, after = kAfter;
  if (before + length + after > num_warmup) {  // 15%, 75% and 10% of what there is
    before = 15 * num_warmup / 100;
    after = num_warmup / 10;
    length = num_warmup - before - after;
  }
  WarmupWindows windows{before, {}};
  const Index last = num_warmup - after;
  for (Index end = before + length; end <= last && length > 0; end += length) {
    length *= 2;
    const bool no_room_for_next = end + length > last;
    windows.ends.push_back(no_room_for_next ? last : end);
    if (no_room_for_next) break;
  }
  return windows;
}

Matrix metric_factor(MatrixView states, Metric metric) {
  constexpr double kPriorStates = 5.0, kPriorVariance = 1e-3;  // Stan's
  const auto n = static_cast<double>(states.cols());
  Matrix covariance = weighted_moments(states, Vector::Constant(states.cols(), 1.0 / n)).covariance;
  if (metric == Metric::diagonal) covariance = Matrix(covariance.diagonal().asDiagonal());
  covariance *= n / (n + kPriorStates);
  covariance.diagonal().array() += kPriorVariance * kPriorStates / (n + kPriorStates);
  return regularised_factor(covariance);
}

double reasonable_step(Hamiltonian& hamiltonian, const PhasePoint& state, double step, Stream& stream) {
  constexpr double kWanted = 0.8, kSmallest = 1e-10, kLargest = 1e7;
  int direction = 0;
  for (;;) {
    PhasePoint point = state;
    hamiltonian.draw_momentum(point, stream);
    const double before = hamiltonian.total(point);
    hamiltonian.leapfrog(point, step);
    const bool accepted = before - hamiltonian.total(point) > std::log(kWanted);  // false for what is no number
    if (direction == 0) direction = accepted ? 1 : -1;
    if (accepted != (direction > 0)) return step;
    step *= direction > 0 ? 2.0 : 0.5;
    if (step < kSmallest || step > kLargest) return std::clamp(step, kSmallest, kLargest);
  }
}

namespace {

// Streams of one chain, by level.
enum : std::uint64_t { kTransitions = 0, kStepSearch = 1 };

PhasePoint draw_start(const DifferentiableTarget& target, Hamiltonian& hamiltonian, std::uint64_t seed, Index chain) {
  constexpr std::uint64_t kMostTries = 1000;
  for (std::uint64_t attempt = 0; attempt < kMostTries; ++attempt) {
    Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(chain), attempt});
    PhasePoint point = hamiltonian.at(target.draw_start(stream));
    if (point.energy.possible()) return point;
  }
  throw Error(ErrorCode::bad_data, "no start point has a finite density; widen the box or check the model");
}

// One chain: its state, and what it has learnt.
class Chain {
 public:
  Chain(const DifferentiableTarget& target, Workspace& workspace, const NutsOptions& options, Index index)
      : options_(options),
        index_(index),
        hamiltonian_(target, workspace, Matrix::Identity(target.dim(), target.dim())),
        state_(draw_start(target, hamiltonian_, options.seed, index)),
        tuning_{1.0, options.max_doublings} {}

  void warm_up(const Executor& executor) {
    const WarmupWindows windows = warmup_windows(options_.num_warmup);
    auto next_end = windows.ends.begin();
    Index window_begin = windows.first;
    Matrix states(state_.position.size(), options_.num_warmup);
    DualAveraging averaging = restart_averaging();
    for (Index s = 0; s < options_.num_warmup; ++s) {
      executor.throw_if_stopped();
      tuning_.step = averaging.step();
      averaging.learn(step().acceptance);
      states.col(s) = state_.position;
      if (next_end == windows.ends.end() || s + 1 < *next_end) continue;
      hamiltonian_.set_metric(metric_factor(states.middleCols(window_begin, s + 1 - window_begin), options_.metric));
      window_begin = *next_end++;
      tuning_.step = averaging.averaged_step();
      averaging = restart_averaging();
    }
    tuning_.step = averaging.averaged_step();
    report_.step = tuning_.step;
    report_.warmup_gradients = hamiltonian_.gradient_evaluations();
  }

  // What the chain did, then its states: position, E0, E1, reason.
  Payload sample(Index num_states, const Executor& executor) {
    Payload states;
    for (Index s = 0; s < num_states; ++s) {
      executor.throw_if_stopped();
      const NutsTransition transition = step();
      report_.acceptance += transition.acceptance / static_cast<double>(num_states);
      report_.divergences += transition.divergent ? 1 : 0;
      report_.longest += transition.doublings == options_.max_doublings ? 1 : 0;
      states.insert(states.end(), state_.position.begin(), state_.position.end());
      const Energy& energy = state_.energy;
      states.insert(states.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
    }
    report_.gradients = hamiltonian_.gradient_evaluations() - report_.warmup_gradients;
    Payload payload = {report_.step,
                       report_.acceptance,
                       static_cast<double>(report_.divergences),
                       static_cast<double>(report_.longest),
                       static_cast<double>(report_.warmup_gradients),
                       static_cast<double>(report_.gradients)};
    payload.insert(payload.end(), states.begin(), states.end());
    return payload;
  }

 private:
  NutsTransition step() {
    Stream stream = named(kTransitions, num_transitions_++);
    return nuts_transition(hamiltonian_, tuning_, state_, stream);
  }

  DualAveraging restart_averaging() {
    Stream stream = named(kStepSearch, num_searches_++);
    return {reasonable_step(hamiltonian_, state_, tuning_.step, stream), options_.wanted_acceptance};
  }

  Stream named(std::uint64_t level, std::uint64_t step) const {
    return Stream({options_.seed, Purpose::hamiltonian, level, static_cast<std::uint64_t>(index_), step});
  }

  const NutsOptions& options_;
  Index index_;
  Hamiltonian hamiltonian_;
  PhasePoint state_;
  NutsTuning tuning_;
  NutsChain report_;
  std::uint64_t num_transitions_ = 0, num_searches_ = 0;
};

NutsResult allocate_result(Index dim, const NutsOptions& options) {
  NutsResult result;
  result.chains.resize(static_cast<std::size_t>(options.num_chains));
  Population& population = result.population;
  for (Index c = 0; c <= options.num_chains; ++c) {
    population.chain_begin.push_back(c * options.num_samples / options.num_chains);
    population.group_begin.push_back(c);
  }
  population.positions.resize(dim, options.num_samples);
  population.energies.resize(static_cast<std::size_t>(options.num_samples));
  return result;
}

// Reads what Chain::sample wrote.
void read_chain(const Payload& payload, std::size_t c, NutsResult& result) {
  PayloadReader reader(payload);
  NutsChain& chain = result.chains[c];
  chain.step = reader.number();
  chain.acceptance = reader.number();
  for (std::int64_t* value : {&chain.divergences, &chain.longest, &chain.warmup_gradients, &chain.gradients}) {
    *value = reader.count();
  }
  Population& population = result.population;
  for (Index i = population.chain_begin[c]; i < population.chain_begin[c + 1]; ++i) {
    for (double& coordinate : population.positions.col(i)) coordinate = reader.number();
    population.energies[static_cast<std::size_t>(i)] = read_energy(reader);
  }
  reader.require_end();
}

// `target` has no box, or it is of no account.
NutsResult run_chains(const DifferentiableTarget& target, const NutsOptions& options, Executor& executor) {
  NutsResult result = allocate_result(target.dim(), options);
  const auto& begin = result.population.chain_begin;
  const auto task = [&](Index c, int) {
    const auto workspace = target.make_workspace();
    Chain chain(target, *workspace, options, c);
    chain.warm_up(executor);
    return chain.sample(begin[static_cast<std::size_t>(c) + 1] - begin[static_cast<std::size_t>(c)], executor);
  };
  const std::vector<double> costs(static_cast<std::size_t>(options.num_chains), 1.0);
  const std::vector<Payload> payloads = executor.map(costs, task);
  for (std::size_t c = 0; c < payloads.size(); ++c) read_chain(payloads[c], c, result);
  return result;
}

}  // namespace

std::int64_t NutsResult::gradient_evaluations() const {
  std::int64_t sum = 0;
  for (const NutsChain& chain : chains) sum += chain.warmup_gradients + chain.gradients;
  return sum;
}

std::int64_t NutsResult::divergences() const {
  std::int64_t sum = 0;
  for (const NutsChain& chain : chains) sum += chain.divergences;
  return sum;
}

double NutsResult::acceptance() const {
  double sum = 0.0;
  for (const NutsChain& chain : chains) sum += chain.acceptance;
  return sum / static_cast<double>(chains.size());
}

NutsResult run_nuts(const DifferentiableTarget& target, const NutsOptions& options, Execution context) {
  if (!target.has_gradient()) {
    throw Error(ErrorCode::usage,
                "the no-U-turn sampler needs a gradient, and this target has none: use another prior or sampler");
  }
  if (target.box() == nullptr) return run_chains(target, options, context.executor);
  const UnboundedTarget unbounded(target);
  NutsResult result = run_chains(unbounded, options, context.executor);
  result.population = unbounded.in_box(std::move(result.population));
  return result;
}

namespace {

// Sum over steps of the squared jump relative to the sample's covariance, by coordinate.
double squared_jumps(const Population& population) {
  const Vector weights = Vector::Constant(population.size(), 1.0 / static_cast<double>(population.size()));
  const Matrix factor = regularised_factor(weighted_moments(population.positions, weights).covariance);
  double sum = 0.0;
  for (std::size_t c = 0; c + 1 < population.chain_begin.size(); ++c) {
    const Index begin = population.chain_begin[c], length = population.chain_begin[c + 1] - begin;
    if (length < 2) continue;
    Matrix jumps = population.positions.middleCols(begin + 1, length - 1);
    jumps -= population.positions.middleCols(begin, length - 1);
    factor.triangularView<Eigen::Lower>().solveInPlace(jumps);
    sum += jumps.squaredNorm() / static_cast<double>(jumps.rows());
  }
  return sum;
}

std::vector<std::string> notices_of(const NutsResult& result) {
  std::vector<std::string> notices;
  if (const std::int64_t count = result.divergences(); count > 0) {
    notices.push_back(std::to_string(count) + " of " + std::to_string(result.population.size()) +
                      " trajectories diverged: where the posterior bends sharply, or ends, the sample may lack mass");
  }
  std::int64_t longest = 0;
  for (const NutsChain& chain : result.chains) longest += chain.longest;
  if (longest > 0) {
    notices.push_back(std::to_string(longest) + " trajectories reached their greatest length without a turn");
  }
  return notices;
}

}  // namespace

SamplerResult nuts_run(const DifferentiableTarget& target, const NutsOptions& options, Execution context) {
  const auto begin = Clock::now();
  NutsResult result = run_nuts(target, options, context);
  LevelMoves moves{result.population, {}, {}, result.gradient_evaluations()};
  const auto size = static_cast<std::int64_t>(result.population.size());
  const auto moved = std::llround(result.acceptance() * static_cast<double>(size));
  moves.parts.push_back({"no-U-turn", size, moved, result.gradient_evaluations(), squared_jumps(result.population)});
  SamplerResult run;
  LevelSummary report = describe_level(moves, result.population);
  report.beta = 1.0;
  report.effective_sample_size = static_cast<double>(size);
  report.seconds = seconds_since(begin);
  context.observer.on_level(report);
  run.levels.push_back(std::move(report));
  run.notices = notices_of(result);
  run.states = equally_weighted(in_batches(std::move(result.population)));
  run.num_draws = run.states.size();
  return run;
}

}  // namespace ta2s2
