#include "ta2s2/smc/chain_growth.hpp"

#include <algorithm>
#include <deque>

#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// A finished chain: its states, and what each part of the kernel did.
struct ChainRecord {
  Population history;
  std::vector<PartTally> parts;
  Matrix jumps;                      // of each step
  std::vector<std::size_t> part_of;  // each step
};

// One lane of a block: a chain under way and the energy it waits for.
struct Lane {
  EnergyRequest request;
  ChainTask<ChainRecord> chain;
  Index chain_index = 0;
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

ChainTask<ChainRecord> chain(const MoveKernel& kernel, const LevelPlan& plan, std::uint64_t seed, Index chain_index,
                             std::size_t num_parts, EnergyRequest& energy) {
  const auto start = plan.chains.starts[static_cast<std::size_t>(chain_index)];
  const Index length = plan.chains.lengths[static_cast<std::size_t>(chain_index)];
  ChainState state{plan.markers->positions.col(start), plan.markers->energies[static_cast<std::size_t>(start)]};
  ChainRecord record;
  record.parts.resize(num_parts);
  record.history.positions.resize(plan.dim(), length);
  record.history.energies.reserve(static_cast<std::size_t>(length));
  record.jumps.resize(plan.dim(), length);
  record.part_of.reserve(static_cast<std::size_t>(length));
  for (Index s = 0; s < length; ++s) {
    Stream stream({seed, Purpose::move, static_cast<std::uint64_t>(plan.level), static_cast<std::uint64_t>(chain_index),
                   static_cast<std::uint64_t>(s)});
    const std::int64_t answered_before = energy.num_answered();
    Step step = co_await kernel.move(state, plan, energy, stream);
    record.parts[static_cast<std::size_t>(step.part)].evaluations += energy.num_answered() - answered_before;
    count_step(record, s, step, state.position);
    state = std::move(step.state);
    append_state(record.history, s, state);
  }
  measure_jumps(record, plan.covariance_factor);
  co_return record;
}

// Several chains as one task; at most `lanes` of them are under way at a time.
class BlockDriver {
 public:
  BlockDriver(const TargetDensity& target, const MoveKernel& kernel, const LevelPlan& plan, std::uint64_t seed,
              Executor& executor)
      : target_(target),
        kernel_(kernel),
        num_parts_(kernel.part_names().size()),
        plan_(plan),
        seed_(seed),
        executor_(executor) {}

  Payload run(Index first_chain, Index end_chain, Workspace& workspace) {
    next_chain_ = first_chain;
    end_chain_ = end_chain;
    finished_.resize(static_cast<std::size_t>(end_chain - first_chain));
    first_chain_ = first_chain;
    const Index num_lanes = std::min<Index>(target_.lanes(), end_chain - first_chain);
    lanes_.resize(static_cast<std::size_t>(num_lanes));
    for (Lane& lane : lanes_) start_next(lane);
    while (answer_pending(workspace)) executor_.throw_if_stopped();
    return pack();
  }

 private:
  // Gives an idle lane the task's next chain; a chain of no steps ends at once.
  void start_next(Lane& lane) {
    while (next_chain_ < end_chain_) {
      lane.chain_index = next_chain_++;
      lane.chain = chain(kernel_, plan_, seed_, lane.chain_index, num_parts_, lane.request);
      lane.chain.start();
      if (!lane.chain.done()) return;
      collect(lane);
    }
  }

  void collect(Lane& lane) {
    finished_[static_cast<std::size_t>(lane.chain_index - first_chain_)] = lane.chain.take_result();
  }

  // One block of energies; false once no lane waits for any.
  bool answer_pending(Workspace& workspace) {
    waiting_.clear();
    for (Lane& lane : lanes_) {
      if (lane.request.pending()) waiting_.push_back(&lane);
    }
    if (waiting_.empty()) return false;
    block_.resize(target_.dim(), static_cast<Index>(waiting_.size()));
    answers_.resize(waiting_.size());
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      block_.col(static_cast<Index>(i)) = waiting_[i]->request.candidate();
    }
    target_.energies(block_, workspace, answers_);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      ++impossible_[static_cast<std::size_t>(answers_[i].reason)];
      waiting_[i]->request.answer(answers_[i]);
      if (waiting_[i]->chain.done()) {
        collect(*waiting_[i]);
        start_next(*waiting_[i]);
      }
    }
    return true;
  }

  // Impossible points, then chain by chain what its moves did and its states.
  Payload pack() const {
    Payload payload;
    for (const auto count : impossible_) payload.push_back(static_cast<double>(count));
    for (const ChainRecord& record : finished_) {
      const Population& history = record.history;
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
  const MoveKernel& kernel_;
  std::size_t num_parts_;
  const LevelPlan& plan_;
  std::uint64_t seed_;
  Executor& executor_;
  Index first_chain_ = 0, next_chain_ = 0, end_chain_ = 0;
  std::array<std::int64_t, kNumImpossible> impossible_{};
  std::deque<Lane> lanes_;  // lanes are referred to by their coroutines: they must not move
  std::vector<ChainRecord> finished_;
  std::vector<Lane*> waiting_;
  Matrix block_;
  std::vector<Energy> answers_;
};

// Reads payloads in the order in which they were packed.
class PayloadReader {
 public:
  explicit PayloadReader(const Payload& payload) : next_(payload.data()) {}
  double number() { return *next_++; }
  std::int64_t count() { return static_cast<std::int64_t>(*next_++); }
  void chain(LevelMoves& moves, Index c) {
    for (PartTally& part : moves.parts) {
      part.steps += count();
      part.moved += count();
      part.evaluations += count();
      part.squared_jump += number();
    }
    const auto& begin = moves.population.chain_begin;
    for (Index i = begin[static_cast<std::size_t>(c)]; i < begin[static_cast<std::size_t>(c) + 1]; ++i) {
      state(moves.population, i);
    }
  }
  void state(Population& population, Index i) {
    for (Index d = 0; d < population.positions.rows(); ++d) population.positions(d, i) = number();
    const double start = number();
    const double tempered = number();
    population.energies[static_cast<std::size_t>(i)] = {start, tempered, static_cast<Impossible>(count())};
  }

 private:
  const double* next_;
};

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

std::vector<std::unique_ptr<Workspace>> make_workspaces(const TargetDensity& target, const Executor& executor) {
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (int i = 0; i < executor.num_workers(); ++i) workspaces.push_back(target.make_workspace());
  return workspaces;
}

Index num_tasks(Index num_items, Index task_size) {
  return (num_items + task_size - 1) / task_size;
}

std::vector<Energy> evaluate_in_blocks(const TargetDensity& target, MatrixView points, Workspace& workspace) {
  std::vector<Energy> energies(static_cast<std::size_t>(points.cols()));
  for (Index i = 0; i < points.cols(); i += target.lanes()) {
    const Index width = std::min<Index>(target.lanes(), points.cols() - i);
    target.energies(points.middleCols(i, width), workspace,
                    std::span(energies).subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(width)));
  }
  return energies;
}

// The cost of a task: the steps its chains will make.
std::vector<double> task_costs(const std::vector<Index>& lengths, Index task_size) {
  const auto num_chains = static_cast<Index>(lengths.size());
  std::vector<double> costs(static_cast<std::size_t>(num_tasks(num_chains, task_size)), 0.0);
  for (Index c = 0; c < num_chains; ++c) {
    costs[static_cast<std::size_t>(c / task_size)] += static_cast<double>(lengths[static_cast<std::size_t>(c)]);
  }
  return costs;
}

}  // namespace

Index chains_per_task(Index num_chains, Index lanes) {
  constexpr Index kWantedTasks = 16;
  return lanes * std::clamp<Index>(num_chains / (lanes * kWantedTasks), 1, 4);
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
        evaluate_in_blocks(target, points, *workspaces[static_cast<std::size_t>(worker)]);
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
      reader.state(moves.population, i);
      ++moves.impossible[static_cast<std::size_t>(moves.population.energies[static_cast<std::size_t>(i)].reason)];
    }
  }
  return moves;
}

std::vector<Energy> energies_of(const TargetDensity& target, const Matrix& points, Executor& executor) {
  const Index task_size = points_per_task(target.lanes());
  const auto workspaces = make_workspaces(target, executor);
  const auto task = [&](Index part, int worker) {
    const Index first = part * task_size;
    const Index count = std::min(task_size, points.cols() - first);
    Payload payload;
    for (const Energy& energy :
         evaluate_in_blocks(target, points.middleCols(first, count), *workspaces[static_cast<std::size_t>(worker)])) {
      payload.insert(payload.end(), {energy.start, energy.tempered, static_cast<double>(energy.reason)});
    }
    return payload;
  };
  std::vector<Energy> energies;
  const std::vector<double> costs(static_cast<std::size_t>(num_tasks(points.cols(), task_size)), 1.0);
  for (const Payload& payload : executor.map(costs, task)) {
    for (std::size_t i = 0; i < payload.size(); i += 3) {
      energies.push_back({payload[i], payload[i + 1], static_cast<Impossible>(static_cast<int>(payload[i + 2]))});
    }
  }
  return energies;
}

LevelMoves grow_chains(const TargetDensity& target, const MoveKernel& kernel, const LevelPlan& plan, std::uint64_t seed,
                       Executor& executor) {
  const auto num_chains = static_cast<Index>(plan.chains.starts.size());
  const Index task_size = chains_per_task(num_chains, target.lanes());
  const auto workspaces = make_workspaces(target, executor);
  const auto task = [&](Index part, int worker) {
    BlockDriver driver(target, kernel, plan, seed, executor);
    const Index first = part * task_size;
    return driver.run(first, std::min(first + task_size, num_chains), *workspaces[static_cast<std::size_t>(worker)]);
  };
  const std::vector<Payload> payloads = executor.map(task_costs(plan.chains.lengths, task_size), task);

  LevelMoves moves;
  moves.population = allocate_population(plan.dim(), plan.chains.lengths, plan.chains.group_begin);
  for (const Index start : plan.chains.starts) moves.population.parents.push_back(plan.markers->chain_of(start));
  for (const std::string& name : kernel.part_names()) moves.parts.push_back({name});
  for (Index part = 0; part < static_cast<Index>(payloads.size()); ++part) {
    PayloadReader reader(payloads[static_cast<std::size_t>(part)]);
    for (auto& count : moves.impossible) count += reader.count();
    const Index end = std::min((part + 1) * task_size, num_chains);
    for (Index c = part * task_size; c < end; ++c) reader.chain(moves, c);
  }
  for (const PartTally& part : moves.parts) moves.evaluations += part.evaluations;
  return moves;
}

}  // namespace ta2s2
