// The experiments of the paper's section 5, run again.
#pragma once

#include <filesystem>
#include <optional>

#include "lab/paper.hpp"
#include "lab/results.hpp"
#include "ta2s2/exec/executor.hpp"

namespace ta2s2::lab {

struct ReproduceOptions {
  std::vector<std::string> experiments;  // names of paper_experiments()
  std::vector<System> systems;
  int num_repeats = 5;                            // seeds on the first design
  std::optional<int> num_designs = std::nullopt;  // with one seed each; as many as repeats if not given
  std::uint64_t first_seed = 1;
  std::optional<Index> samples;  // instead of the paper's N
  std::filesystem::path out;
  std::filesystem::path data;  // holds nilson_kuusk/; may be empty
};

inline constexpr Index kThinnedDraws = 100;  // the paper's

// The columns of results.csv; the first six name a row.
const ResultRow& reproduction_columns();
inline constexpr std::size_t kNumReproductionKeys = 6;

// Writes results.csv, row by row; draws_*.csv, map_*.csv, franke_levels.csv and franke_modes.csv; then summary.md and
// summary.csv of all that results.csv holds. Rows that are there are not computed again; Error{usage} if one was made
// with other settings or runs. An experiment whose runs are missing is left out with a notice, unless it is the only
// one.
void reproduce(const ReproduceOptions& options, Executor& executor, ExperimentObserver& observer);

void write_reproduction_summary(const ResultFile& results, const std::filesystem::path& folder);

}  // namespace ta2s2::lab
