#include "ta2s2/exec/journal.hpp"

#include "ta2s2/base/fnv1a.hpp"

namespace ta2s2 {

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

}  // namespace ta2s2
