#include "ta2s2/exec/recording_executor.hpp"

#include "ta2s2/base/fnv1a.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2 {
namespace {

// Maps that end sooner than this many times what a save takes are saved together: saving stays below 5% of a run.
constexpr double kLeastWorkPerSave = 20.0;

double seconds_between(std::chrono::steady_clock::time_point begin, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Task, length and numbers of each result that is there.
Payload pack_kept(const MapRecord& record) {
  Payload packed;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    if (!record.results[i]) continue;
    const Payload& result = *record.results[i];
    packed.insert(packed.end(), {static_cast<double>(i), static_cast<double>(result.size())});
    packed.insert(packed.end(), result.begin(), result.end());
  }
  return packed;
}

void unpack_kept(const Payload& packed, MapRecord& record) {
  for (auto next = packed.begin(); next != packed.end();) {
    const auto task = static_cast<std::size_t>(*next++);
    const auto length = static_cast<std::ptrdiff_t>(*next++);
    record.results[task].emplace(next, next + length);
    next += length;
  }
}

}  // namespace

std::vector<Index> MapRecord::missing() const {
  std::vector<Index> tasks;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) tasks.push_back(static_cast<Index>(i));
  }
  return tasks;
}

std::uint64_t hash_costs(std::span<const double> costs) {
  Fnv1a hash;
  for (const double cost : costs) hash.add_number(cost);
  return hash.value();
}

RecordingExecutor::RecordingExecutor(Executor& inner, Journal journal, Save save, double save_every)
    : inner_(inner), journal_(std::move(journal)), save_(std::move(save)), save_every_(save_every) {}

std::vector<Payload> RecordingExecutor::map(std::span<const double> costs, const Task& task, const Arrival& arrival) {
  MapRecord& record = next_record(costs);
  share_kept_results(record);
  tell_kept_results(record, arrival);
  run_missing(record, costs, task, arrival);
  std::vector<Payload> results;
  for (std::optional<Payload>& result : record.results) {
    results.push_back(is_first() ? *result : std::move(*result));
  }
  if (!is_first()) record.results.clear();
  return results;
}

MapRecord& RecordingExecutor::next_record(std::span<const double> costs) {
  const std::size_t number = num_maps_++;
  const std::uint64_t hash = hash_costs(costs);
  if (number == journal_.maps.size()) journal_.maps.push_back({hash, {}});
  MapRecord& record = journal_.maps[number];
  if (record.results.empty()) record.results.resize(costs.size());
  if (record.costs_hash != hash || record.results.size() != costs.size()) {
    throw Error(ErrorCode::bad_file, "the checkpoint's step " + std::to_string(number + 1) +
                                         " is not what this program does there; it was made by another build: go on "
                                         "with that one, or start again without it");
  }
  return record;
}

void RecordingExecutor::share_kept_results(MapRecord& record) {
  const Payload kept = inner_.agree(is_first() ? pack_kept(record) : Payload{});
  if (!is_first()) unpack_kept(kept, record);
}

void RecordingExecutor::tell_kept_results(const MapRecord& record, const Arrival& arrival) const {
  if (arrival == nullptr || !is_first()) return;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    if (record.results[i]) arrival(static_cast<Index>(i), *record.results[i]);
  }
}

void RecordingExecutor::run_missing(MapRecord& record, std::span<const double> costs, const Task& task,
                                    const Arrival& arrival) {
  const std::vector<Index> missing = record.missing();
  if (missing.empty()) return;
  std::vector<double> missing_costs;
  for (const Index index : missing) missing_costs.push_back(costs[static_cast<std::size_t>(index)]);
  const auto index_of = [&](Index i) { return missing[static_cast<std::size_t>(i)]; };
  const Task run_one = [&](Index i, int worker) { return task(index_of(i), worker); };
  const Arrival keep = [&](Index i, const Payload& result) {
    record.results[static_cast<std::size_t>(index_of(i))] = result;
    if (arrival != nullptr) arrival(index_of(i), result);
    if (seconds_since_save() >= save_every_) save_now();
  };
  std::vector<Payload> results = inner_.map(missing_costs, run_one, keep);
  for (std::size_t i = 0; i < results.size(); ++i) {
    record.results[static_cast<std::size_t>(missing[i])] = std::move(results[i]);
  }
  if (seconds_since_save() >= kLeastWorkPerSave * save_seconds_) save_now();
}

void RecordingExecutor::save_now() {
  if (!is_first()) return;
  const auto begin = Clock::now();
  save_(journal_);
  last_save_ = Clock::now();
  save_seconds_ = seconds_between(begin, last_save_);
}

double RecordingExecutor::seconds_since_save() const {
  return seconds_between(last_save_, Clock::now());
}

}  // namespace ta2s2
