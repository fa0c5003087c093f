// What a level did: plain numbers for progress lines, the model file and the report.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ta2s2/base/target_density.hpp"

namespace ta2s2 {

// What one part of a kernel did over a level.
struct PartTally {
  std::string name;
  std::int64_t steps = 0;
  std::int64_t moved = 0;
  std::int64_t evaluations = 0;
  double squared_jump = 0.0;  // sum over steps of (x' - x)' Sigma^-1 (x' - x) / d

  double acceptance() const { return steps > 0 ? static_cast<double>(moved) / static_cast<double>(steps) : 0.0; }
};

struct LevelSummary {
  Index level = 0;
  double beta = 0.0;
  double effective_sample_size = 0.0;          // of the weights that led to this level; N at level 0
  double log_mean_weight = 0.0;                // this level's term of the log evidence
  double log_mean_weight_error = 0.0;          // its standard error, from between-chain variance
  std::vector<double> group_log_mean_weights;  // the same term of each group's own evidence
  double walk_scale = 1.0;
  int mixture_components = 0;
  Index num_chains = 0;
  Index num_states = 0;
  std::int64_t evaluations = 0;
  std::array<std::int64_t, kNumImpossible> impossible{};  // evaluations without a density, by reason
  std::vector<PartTally> parts;
  double mean_energy = 0.0;  // of H over the level's states with a density
  double sd_energy = 0.0;
  double seconds = 0.0;
  std::optional<Index> levels_left = std::nullopt;  // for progress lines; annealing does not know
  std::string run = {};  // for progress lines: which of several runs side by side; empty if there is one

  double acceptance() const;
};

}  // namespace ta2s2
