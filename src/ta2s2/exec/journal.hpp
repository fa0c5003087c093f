// What a run's maps have returned so far. Everything between two maps follows from their results, so a run that finds
// them again in a journal comes to the same bits without doing the work twice.
#pragma once

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

}  // namespace ta2s2
