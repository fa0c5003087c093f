#include "ta2s2/smc/chain_growth.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ta2s2/exec/payload_reader.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/block_driver.hpp"

namespace ta2s2 {
namespace {

// A finished chain: its states, and what each part of the kernel did.
struct ChainRecord {
  Population history;
  std::vector<PartTally> parts;
  Matrix jumps;                      // of each step
  std::vector<std::size_t> part_of;  // each step
  double acceptance = 0.0;           // mean over steps
};

void append_state(Population& history, Index i, const ChainState& state) {
  history.positions.col(i) = state.position;
  history.energies.push_back(state.energy);
}

void count_step(ChainRecord& record, Index i, const Step& step, const Vector& before) {
  const auto part = static_cast<std::size_t>(step.part);
  ++record.parts[part].steps;
  if (step.moved) ++record.parts[part].moved;
  record.part_of.push_back(part);
  record.jumps.col(i) = step.state.position - before;
}

// Relative to the level's covariance; for all steps at once, which costs less than one by one.
void measure_jumps(ChainRecord& record, const Matrix& factor) {
  factor.triangularView<Eigen::Lower>().solveInPlace(record.jumps);
  for (std::size_t i = 0; i < record.part_of.size(); ++i) {
    const auto jump = record.jumps.col(static_cast<Index>(i));
    record.parts[record.part_of[i]].squared_jump += jump.squaredNorm() / static_cast<double>(jump.size());
  }
}

ChainTask<ChainRecord> chain(const Move& kernel, const LevelPlan& plan, std::uint64_t seed, Index chain_index,
                             std::size_t num_parts, EnergyRequest& energy, Index& steps_left) {
  const auto start = plan.chains.starts[static_cast<std::size_t>(chain_index)];
  const Index length = plan.chains.lengths[static_cast<std::size_t>(chain_index)];
  ChainState state{plan.markers->positions.col(start), plan.markers->energies[static_cast<std::size_t>(start)]};
  ChainRecord record;
  record.parts.resize(num_parts);
  record.history.positions.resize(plan.dim(), length);
  record.history.energies.reserve(static_cast<std::size_t>(length));
  record.jumps.resize(plan.dim(), length);
  record.part_of.reserve(static_cast<std::size_t>(length));
  state.num_moves = plan.first_move;
  for (Index s = 0; s < length; ++s) {
    steps_left = length - s;
    Stream stream({seed, Purpose::move, static_cast<std::uint64_t>(plan.level), static_cast<std::uint64_t>(chain_index),
                   static_cast<std::uint64_t>(plan.first_move + s)});
    const std::int64_t answered_before = energy.num_answered();
    Step step = co_await kernel.move(state, plan, energy, stream);
    record.parts[static_cast<std::size_t>(step.part)].evaluations += energy.num_answered() - answered_before;
    count_step(record, s, step, state.position);
    record.acceptance += step.acceptance / static_cast<double>(length);
    state = std::move(step.state);
    state.num_moves = plan.first_move + s + 1;
    append_state(record.history, s, state);
  }
  measure_jumps(record, plan.covariance_factor);
  co_return record;
}

// Several chains as one task, all under way at once.
class ChainTaskRunner {
 public:
  ChainTaskRunner(const TargetDensity& target, const Move& kernel, const LevelPlan& plan, std::uint64_t seed)
      : target_(target), kernel_(kernel), num_parts_(kernel.part_names().size()), plan_(plan), seed_(seed) {}

  Payload run(Index first_chain, Index end_chain, Workspace& workspace, const Executor& executor) {
    chains_.resize(static_cast<std::size_t>(end_chain - first_chain));
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      UnderWay<ChainRecord>& own = chains_[i];
      own.task =
          chain(kernel_, plan_, seed_, first_chain + static_cast<Index>(i), num_parts_, own.request, own.steps_left);
      own.task.start();  // a chain of no steps ends at once
    }
    BlockDriver driver(target_, workspace, executor);
    driver.run(chains_);
    return pack(driver);
  }

 private:
  // Impossible points and gradients, then chain by chain what its moves did and its states.
  Payload pack(const BlockDriver& driver) {
    Payload payload;
    for (const auto count : driver.impossible()) payload.push_back(static_cast<double>(count));
    payload.push_back(static_cast<double>(driver.num_gradients()));
    for (UnderWay<ChainRecord>& own : chains_) {
      const ChainRecord record = own.task.take_result();
      const Population& history = record.history;
      payload.push_back(record.acceptance);
      for (const PartTally& part : record.parts) {
        const auto counts = {part.steps, part.moved, part.evaluations};
        payload.insert(payload.end(), counts.begin(), counts.end());
        payload.push_back(part.squared_jump);
      }
      for (Index i = 0; i < history.size(); ++i) {
        const auto position = history.positions.col(i);
        payload.insert(payload.end(), position.begin(), position.end());
        const Energy& energy = history.energies[static_cast<std::size_t>(i)];
        payload.insert(payload.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
      }
    }
    return payload;
  }

  const TargetDensity& target_;
  const Move& kernel_;
  std::size_t num_parts_;
  const LevelPlan& plan_;
  std::uint64_t seed_;
  std::deque<UnderWay<ChainRecord>> chains_;  // referred to by their coroutines: they must not move
};

void read_state(PayloadReader& reader, Population& population, Index i) {
  const auto position = reader.numbers(static_cast<std::size_t>(population.positions.rows()));
  population.positions.col(i) = Eigen::Map<const Vector>(position.data(), population.positions.rows());
  population.energies[static_cast<std::size_t>(i)] = read_energy(reader);
}

void read_chain(PayloadReader& reader, LevelMoves& moves, Index c) {
  moves.acceptance.push_back(reader.number());
  for (PartTally& part : moves.parts) {
    part.steps += reader.count();
    part.moved += reader.count();
    part.evaluations += reader.count();
    part.squared_jump += reader.number();
  }
  const auto& begin = moves.population.chain_begin;
  for (Index i = begin[static_cast<std::size_t>(c)]; i < begin[static_cast<std::size_t>(c) + 1]; ++i) {
    read_state(reader, moves.population, i);
  }
}

Population allocate_population(Index dim, const std::vector<Index>& chain_lengths, std::vector<Index> group_begin) {
  Population population;
  if (group_begin.empty()) group_begin = {0, static_cast<Index>(chain_lengths.size())};
  population.group_begin = std::move(group_begin);
  population.chain_begin.push_back(0);
  for (const Index length : chain_lengths) population.chain_begin.push_back(population.chain_begin.back() + length);
  const Index size = population.chain_begin.back();
  population.positions.resize(dim, size);
  population.energies.resize(static_cast<std::size_t>(size));
  return population;
}

std::vector<Index> split_evenly(Index num_items, Index num_groups) {
  std::vector<Index> begin;
  for (Index g = 0; g <= num_groups; ++g) begin.push_back(g * num_items / num_groups);
  return begin;
}

Index num_tasks(Index num_items, Index task_size) {
  return (num_items + task_size - 1) / task_size;
}

std::vector<Energy> evaluate_in_blocks(const TargetDensity& target, MatrixView points, Workspace& workspace,
                                       const Executor& executor) {
  std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
  for (Index i = 0; i < points.cols(); i += target.lanes()) {
    executor.throw_if_stopped();
    const Index width = std::min<Index>(target.lanes(), points.cols() - i);
    target.energies(points.middleCols(i, width), workspace,
                    std::span(energies).subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(width)));
  }
  return energies;
}

// The cost of a task: the steps its chains will make.
std::vector<double> task_costs(const std::vector<Index>& lengths, const std::vector<Index>& task_begin) {
  std::vector<double> costs;
  for (std::size_t t = 0; t + 1 < task_begin.size(); ++t) {
    const auto begin = lengths.begin();
    costs.push_back(static_cast<double>(std::accumulate(begin + task_begin[t], begin + task_begin[t + 1], Index{0})));
  }
  return costs;
}

}  // namespace

Energy read_energy(PayloadReader& reader) {
  const double start = reader.number(), tempered = reader.number();
  return {start, tempered, static_cast<Impossible>(reader.count(static_cast<std::int64_t>(kNumImpossible) - 1))};
}

std::vector<std::unique_ptr<Workspace>> make_workspaces(const TargetDensity& target, const Executor& executor) {
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (int i = 0; i < executor.num_workers(); ++i) workspaces.push_back(target.make_workspace());
  return workspaces;
}

Index num_chain_tasks(Index num_chains, Index lanes) {
  if (lanes == 1) return num_chains;
  const Index most = std::max<Index>(num_chains / lanes, 1);
  const Index power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(most)));
  return most >= power + power / 2 ? power + power / 2 : power;
}

Index points_per_task(Index lanes) {
  return lanes > 1 ? 8 * lanes : 1;
}

LevelMoves draw_start_points(const TargetDensity& target, Index num_points, std::uint64_t seed, Executor& executor,
                             Index num_groups) {
  const Index dim = target.dim();
  const Index task_size = points_per_task(target.lanes());
  const auto workspaces = make_workspaces(target, executor);
  const auto task = [&](Index part, int worker) {
    const Index first = part * task_size;
    const Index count = std::min(task_size, num_points - first);
    Matrix points(dim, count);
    for (Index i = 0; i < count; ++i) {
      Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(first + i), 0});
      points.col(i) = target.draw_start(stream);
    }
    const std::vector<Energy> energies =
        evaluate_in_blocks(target, points, *workspaces[static_cast<std::size_t>(worker)], executor);
    Payload payload;
    for (Index i = 0; i < count; ++i) {
      const Energy& energy = energies[static_cast<std::size_t>(i)];
      payload.insert(payload.end(), points.col(i).begin(), points.col(i).end());
      payload.insert(payload.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(num_tasks(num_points, task_size)), 1.0);
  const std::vector<Payload> payloads = executor.map(costs, task);

  LevelMoves moves;
  moves.population = allocate_population(dim, std::vector<Index>(static_cast<std::size_t>(num_points), 1),
                                         split_evenly(num_points, num_groups));
  moves.evaluations = num_points;
  for (Index part = 0; part < static_cast<Index>(payloads.size()); ++part) {
    PayloadReader reader(payloads[static_cast<std::size_t>(part)]);
    const Index end = std::min((part + 1) * task_size, num_points);
    for (Index i = part * task_size; i < end; ++i) {
      read_state(reader, moves.population, i);
      ++moves.impossible[static_cast<std::size_t>(moves.population.energies[static_cast<std::size_t>(i)].reason)];
    }
    reader.require_end();
  }
  return moves;
}

PointEvaluator::PointEvaluator(const TargetDensity& target, Executor& executor)
    : target_(target), executor_(executor), workspaces_(make_workspaces(target, executor)) {}

std::vector<Energy> PointEvaluator::operator()(const Matrix& points) const {
  constexpr Index kFewPoints = 128;  // of a search, which waits for them
  const Index task_size = points.cols() > kFewPoints ? points_per_task(target_.lanes()) : target_.lanes();
  const auto task = [&](Index part, int worker) {
    const Index first = part * task_size;
    const Index count = std::min(task_size, points.cols() - first);
    Payload payload;
    Workspace& workspace = *workspaces_[static_cast<std::size_t>(worker)];
    for (const Energy& energy : evaluate_in_blocks(target_, points.middleCols(first, count), workspace, executor_)) {
      payload.insert(payload.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
    }
    return payload;
  };
  std::vector<Energy> energies;
  const std::vector<double> costs(static_cast<std::size_t>(num_tasks(points.cols(), task_size)), 1.0);
  for (const Payload& payload : executor_.map(costs, task)) {
    PayloadReader reader(payload);
    const Index end = std::min(static_cast<Index>(energies.size()) + task_size, points.cols());
    while (static_cast<Index>(energies.size()) < end) energies.push_back(read_energy(reader));
    reader.require_end();
  }
  return energies;
}

std::vector<Energy> energies_of(const TargetDensity& target, const Matrix& points, Executor& executor) {
  return PointEvaluator(target, executor)(points);
}

PointGradients gradients_of(const DifferentiableTarget& target, const Matrix& points, Executor& executor) {
  const auto workspaces = make_workspaces(target, executor);
  const Index dim = target.dim(), size = target.lanes();
  const auto task = [&](Index part, int worker) {
    const Index first = part * size, count = std::min(size, points.cols() - first);
    std::vector<Energy> energies(static_cast<std::size_t>(count));
    Matrix gradients(dim, count);
    target.energies_and_gradients(points.middleCols(first, count), *workspaces[static_cast<std::size_t>(worker)],
                                  energies, gradients);
    Payload payload;
    for (Index i = 0; i < count; ++i) {
      const Energy& energy = energies[static_cast<std::size_t>(i)];
      payload.insert(payload.end(), gradients.col(i).begin(), gradients.col(i).end());
      payload.insert(payload.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
    }
    return payload;
  };
  const std::vector<double> costs(static_cast<std::size_t>(num_tasks(points.cols(), size)), 1.0);
  Population found;  // whose positions are the gradients
  found.positions.resize(dim, points.cols());
  found.energies.resize(static_cast<std::size_t>(points.cols()));
  Index i = 0;
  for (const Payload& payload : executor.map(costs, task)) {
    PayloadReader reader(payload);
    for (Index k = 0; k < size && i < points.cols(); ++k) read_state(reader, found, i++);
    reader.require_end();
  }
  return {std::move(found.energies), std::move(found.positions)};
}

LevelMoves grow_chains(const TargetDensity& target, const Move& kernel, const LevelPlan& plan, std::uint64_t seed,
                       Executor& executor) {
  const auto num_chains = static_cast<Index>(plan.chains.starts.size());
  const std::vector<Index> task_begin = split_evenly(num_chains, num_chain_tasks(num_chains, target.lanes()));
  const auto workspaces = make_workspaces(target, executor);
  const auto task = [&](Index part, int worker) {
    const auto t = static_cast<std::size_t>(part);
    ChainTaskRunner runner(target, kernel, plan, seed);
    return runner.run(task_begin[t], task_begin[t + 1], *workspaces[static_cast<std::size_t>(worker)], executor);
  };
  const std::vector<Payload> payloads = executor.map(task_costs(plan.chains.lengths, task_begin), task);

  LevelMoves moves;
  moves.population = allocate_population(plan.dim(), plan.chains.lengths, plan.chains.group_begin);
  for (const Index start : plan.chains.starts) moves.population.parents.push_back(plan.markers->chain_of(start));
  for (const std::string& name : kernel.part_names()) moves.parts.push_back({name});
  for (std::size_t t = 0; t < payloads.size(); ++t) {
    PayloadReader reader(payloads[t]);
    for (auto& count : moves.impossible) count += reader.count();
    moves.gradients += reader.count();
    for (Index c = task_begin[t]; c < task_begin[t + 1]; ++c) read_chain(reader, moves, c);
    reader.require_end();
  }
  for (const PartTally& part : moves.parts) moves.evaluations += part.evaluations;
  return moves;
}

}  // namespace ta2s2
