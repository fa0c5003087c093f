// What a run's maps have returned so far. Everything between two maps follows from their results, so a run that finds
// them again in a journal comes to the same bits without doing the work twice.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ta2s2/exec/executor.hpp"

namespace ta2s2 {

struct MapRecord {
  std::uint64_t costs_hash = 0;                 // tells whether a run that goes on asks for the same tasks
  std::vector<std::optional<Payload>> results;  // by task; nothing for one that has not ended

  std::vector<Index> missing() const;
  bool is_complete() const { return missing().empty(); }
};

struct Journal {
  std::vector<MapRecord> maps;  // in the order in which they were called
};

std::uint64_t hash_costs(std::span<const double> costs);

// Keeps every result in a journal, and does no task whose result the journal already has.
class RecordingExecutor : public Executor {
 public:
  using Save = std::function<void(const Journal&)>;

  // Around `inner`. `journal` holds what earlier processes have done; on any but the first process it may be
  // empty: the first one's results are sent. `save` is called, by the first process alone, after each map, and within
  // one whenever `save_every` seconds have passed; what it throws ends the map.
  RecordingExecutor(Executor& inner, Journal journal, Save save, double save_every);

  int num_workers() const override { return inner_.num_workers(); }
  using Executor::map;
  // Error{bad_file} if the journal was made by a run that did something else.
  std::vector<Payload> map(std::span<const double> costs, const Task& task, const Arrival& arrival) override;
  void for_each_here(Index count, const std::function<void(Index)>& work) override {
    inner_.for_each_here(count, work);
  }
  Payload agree(Payload payload) override { return inner_.agree(std::move(payload)); }
  bool is_first() const override { return inner_.is_first(); }
  bool stop_requested() const override { return inner_.stop_requested(); }

  void save_now();
  const Journal& journal() const { return journal_; }

 private:
  using Clock = std::chrono::steady_clock;

  MapRecord& next_record(std::span<const double> costs);
  void share_kept_results(MapRecord& record);
  void tell_kept_results(const MapRecord& record, const Arrival& arrival) const;
  void run_missing(MapRecord& record, std::span<const double> costs, const Task& task, const Arrival& arrival);
  double seconds_since_save() const;

  Executor& inner_;
  Journal journal_;
  Save save_;
  double save_every_;
  std::size_t num_maps_ = 0;  // that were called
  Clock::time_point last_save_ = Clock::now();
  double save_seconds_ = 0.0;  // that the last one took
};

}  // namespace ta2s2
