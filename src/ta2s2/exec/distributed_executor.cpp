#include "ta2s2/exec/distributed_executor.hpp"

#include <numeric>
#include <utility>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/detail/threads.hpp"
#include "ta2s2/exec/ranks.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2 {
namespace {

using detail::FinishedTurn;
using detail::MapOutcome;
using detail::TaskError;
using detail::Unpacker;
using detail::WorkerPool;
using Kind = Ranks::Kind;

constexpr char kAgreement = 'a', kThreads = 't';

Bytes packed(int num_threads, const Seat& seat) {
  Bytes bytes;
  detail::put(bytes, num_threads);
  detail::put_text(bytes, seat.machine);
  detail::put_numbers(bytes, {seat.cores.begin(), seat.cores.end()});
  return bytes;
}

// What each rank asked for, or its share where it left the choice.
std::vector<int> choose_threads(const std::vector<Bytes>& wishes) {
  std::vector<int> threads;
  std::vector<Seat> seats;
  for (const Bytes& wish : wishes) {
    Unpacker unpacker(wish);
    threads.push_back(unpacker.number<int>());
    Seat& seat = seats.emplace_back();
    seat.machine = unpacker.text();
    for (const double core : unpacker.numbers()) seat.cores.push_back(static_cast<int>(core));
  }
  const std::vector<int> shares = core_shares(seats);
  for (std::size_t rank = 0; rank < threads.size(); ++rank) {
    if (threads[rank] <= 0) threads[rank] = shares[rank];
  }
  return threads;
}

std::vector<int> agree_on_threads(Ranks& ranks, int num_threads) {
  const std::vector<Bytes> wishes = ranks.gather(packed(num_threads, own_seat()));
  Bytes bytes;
  if (ranks.is_first()) {
    for (const int threads : choose_threads(wishes)) detail::put(bytes, threads);
  }
  bytes = ranks.broadcast(kThreads, std::move(bytes));
  std::vector<int> threads;
  for (Unpacker unpacker(bytes); !unpacker.at_end();) threads.push_back(unpacker.number<int>());
  return threads;
}

// A turn's end as a message to rank 0.
enum class TurnEnd : char { result, error, skipped };

Bytes packed(const FinishedTurn& finished) {
  Bytes bytes;
  detail::put(bytes, finished.turn);
  if (finished.error) {
    detail::put(bytes, TurnEnd::error);
    detail::put_error(bytes, TaskError::from(finished.error));
  } else if (finished.was_skipped) {
    detail::put(bytes, TurnEnd::skipped);
  } else {
    detail::put(bytes, TurnEnd::result);
    detail::put_numbers(bytes, finished.result);
  }
  return bytes;
}

// What a map is about, on any rank.
struct MapJob {
  std::uint64_t number;  // of the map
  Ranks& ranks;
  const std::vector<Index>& order;
  WorkerPool& pool;
  std::atomic<bool>& is_stopped;
  std::function<bool()> own_flag;
};

// Rank 0 of one map: deals turns and gathers what becomes of them.
class Leader {
 public:
  Leader(MapJob job, const std::vector<int>& threads, const Executor::Arrival& arrival)
      : job_(std::move(job)),
        threads_(threads),
        num_threads_(std::accumulate(threads.begin(), threads.end(), std::size_t{0})),
        arrival_(arrival),
        in_hand_(threads.size(), 0),
        first_failed_(job_.order.size()) {
    outcome_.results.resize(job_.order.size());
  }

  MapOutcome run() && {
    for (deal(); num_under_way_ > 0; deal()) {
      for (FinishedTurn& finished : job_.pool.collect(patience_.pause())) take_own(std::move(finished));
      while (const std::optional<Message> message = job_.ranks.take({Kind::result, Kind::stop})) hear(*message);
      if (job_.own_flag()) stop();
    }
    outcome_.is_stopped = job_.is_stopped;
    if (outcome_.is_stopped || outcome_.error) outcome_.results.clear();
    return std::move(outcome_);
  }

 private:
  void deal() {
    if (job_.own_flag()) stop();
    while (next_ < first_failed_ && !job_.is_stopped) {
      const int rank = idlest_rank();
      if (rank < 0) return;
      ++in_hand_[static_cast<std::size_t>(rank)];
      ++num_under_way_;
      give(rank, next_++);
    }
  }

  // While there is plenty left a rank has one turn more than it can work on, so that it need not wait for the next. Not
  // near the end, where that turn would wait at a busy rank while another has nothing to do.
  int idlest_rank() const {
    constexpr std::size_t kPlenty = 4;  // turns for each thread
    const int in_advance = first_failed_ - next_ > kPlenty * num_threads_ ? 1 : 0;
    int idlest = -1, most_spare = 0;
    for (std::size_t rank = 0; rank < threads_.size(); ++rank) {
      const int spare = threads_[rank] + in_advance - in_hand_[rank];
      if (spare <= most_spare) continue;
      most_spare = spare;
      idlest = static_cast<int>(rank);
    }
    return idlest;
  }

  void give(int rank, std::size_t turn) {
    if (rank == 0) return job_.pool.give(turn);
    Bytes bytes;
    detail::put(bytes, job_.number);
    detail::put(bytes, turn);
    detail::put(bytes, job_.order.size());
    job_.ranks.send(rank, Kind::task, std::move(bytes));
  }

  void take_own(FinishedTurn finished) {
    count_back(0);
    if (finished.was_skipped) return stop();
    if (finished.error) return fail(finished.turn, TaskError::from(finished.error));
    keep(finished.turn, std::move(finished.result));
  }

  void hear(const Message& message) {
    if (static_cast<Kind>(message.kind) == Kind::stop) return stop();
    count_back(message.from);
    Unpacker unpacker(message.bytes);
    const auto turn = unpacker.number<std::size_t>();
    switch (unpacker.number<TurnEnd>()) {
      case TurnEnd::result:
        return keep(turn, unpacker.numbers());
      case TurnEnd::error:
        return fail(turn, detail::take_error(unpacker));
      case TurnEnd::skipped:
        return stop();
    }
  }

  void count_back(int rank) {
    patience_.something_came();
    --in_hand_[static_cast<std::size_t>(rank)];
    --num_under_way_;
  }

  void keep(std::size_t turn, Payload result) {
    const Index task = job_.order[turn];
    Payload& kept = outcome_.results[static_cast<std::size_t>(task)] = std::move(result);
    if (arrival_ == nullptr) return;
    try {
      arrival_(task, kept);
    } catch (...) {
      fail(turn, TaskError::from(std::current_exception()));
    }
  }

  void fail(std::size_t turn, TaskError error) {
    if (turn >= first_failed_) return;
    first_failed_ = turn;
    outcome_.error = std::move(error);
  }

  void stop() {
    if (job_.is_stopped.exchange(true)) return;
    Bytes bytes;
    detail::put(bytes, job_.number);
    for (int rank = 1; rank < job_.ranks.size(); ++rank) job_.ranks.send(rank, Kind::stop, bytes);
  }

  MapJob job_;
  const std::vector<int>& threads_;
  std::size_t num_threads_;
  const Executor::Arrival& arrival_;
  std::vector<int> in_hand_;  // turns that each rank has and has not given back
  std::size_t next_ = 0, num_under_way_ = 0;
  std::size_t first_failed_;  // a turn: those before it are still dealt
  MapOutcome outcome_;
  detail::Patience patience_;
};

// Any other rank of one map: works on what it is given until it hears the outcome.
class Follower {
 public:
  // `early` holds what has come for a later map: rank 0 speaks with each rank directly, but an outcome comes down a
  // tree and may be overtaken.
  Follower(MapJob job, std::vector<Message>& early) : job_(std::move(job)), early_(early) {}

  MapOutcome run() && {
    for (const Message& message : std::exchange(early_, {})) hear(message);
    for (;;) {
      for (const FinishedTurn& finished : job_.pool.collect(patience_.pause())) {
        patience_.something_came();
        job_.ranks.send(0, Kind::result, packed(finished));
      }
      if (job_.own_flag()) tell_of_stop();
      while (std::optional<Message> message = job_.ranks.take({Kind::task, Kind::stop, Kind::broadcast})) {
        if (static_cast<Kind>(message->kind) == Kind::broadcast) {
          return detail::receive_outcome(job_.ranks, std::move(*message), job_.order.size());
        }
        patience_.something_came();
        hear(*message);
      }
    }
  }

 private:
  void hear(const Message& message) {
    Unpacker unpacker(message.bytes);
    const auto number = unpacker.number<std::uint64_t>();
    if (number > job_.number) return early_.push_back(message);
    if (number < job_.number) return;  // a stop that its own map did not wait for
    if (static_cast<Kind>(message.kind) == Kind::stop) {
      job_.is_stopped = true;
      return;
    }
    const auto turn = unpacker.number<std::size_t>();
    if (unpacker.number<std::size_t>() != job_.order.size()) {
      throw Error(ErrorCode::internal, "the ranks are not at the same place of the program");
    }
    job_.pool.give(turn);
  }

  void tell_of_stop() {
    if (!std::exchange(has_told_, true)) job_.ranks.send(0, Kind::stop, {});
  }

  MapJob job_;
  std::vector<Message>& early_;
  bool has_told_ = false;
  detail::Patience patience_;
};

}  // namespace

DistributedExecutor::DistributedExecutor(Ranks& ranks, int num_threads, const StopFlag* stop)
    : Executor(stop), ranks_(ranks), threads_of_ranks_(agree_on_threads(ranks, num_threads)) {}

DistributedExecutor::~DistributedExecutor() = default;

int DistributedExecutor::num_workers() const {
  return threads_of_ranks_[static_cast<std::size_t>(ranks_.rank())];
}

std::vector<Payload> DistributedExecutor::map(std::span<const double> costs, const Task& task, const Arrival& arrival) {
  const std::vector<Index> order = detail::costliest_first(costs);
  const auto own_flag = [this] { return Executor::stop_requested(); };
  WorkerPool pool(
      num_workers(), [&](std::size_t turn, int worker) { return task(order[turn], worker); },
      [&] { return stop_requested() || own_flag(); });
  const MapJob job{++num_maps_, ranks_, order, pool, is_stopped_, own_flag};
  MapOutcome outcome;
  try {
    outcome = is_first() ? Leader(job, threads_of_ranks_, arrival).run() : Follower(job, early_).run();
    if (is_first()) detail::broadcast_outcome(ranks_, outcome);
  } catch (...) {
    is_stopped_ = true;  // so that tasks under way end soon
    throw;
  }
  is_stopped_ = outcome.is_stopped;
  if (outcome.error) outcome.error->raise();
  throw_if_stopped();
  return std::move(outcome.results);
}

void DistributedExecutor::for_each_here(Index count, const std::function<void(Index)>& work) {
  if (team_ == nullptr) team_ = std::make_unique<detail::ThreadTeam>(num_workers() - 1);
  team_->for_each(count, work);
}

Payload DistributedExecutor::agree(Payload payload) {
  Bytes bytes;
  if (is_first()) detail::put_numbers(bytes, payload);
  return Unpacker(ranks_.broadcast(kAgreement, std::move(bytes))).numbers();
}

}  // namespace ta2s2
