// How much memory a fit needs.
#pragma once

#include "ta2s2/compare.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

// Of fits side by side: each has its states and its matrices, and the program is there once.
MemoryUse operator+(const MemoryUse& a, const MemoryUse& b);

// docs/clusters.md, "Memory"; held against peaks that the system reports by bench/plan/run.
MemoryUse memory_use(const GpTarget& target, const FitOptions& options, double num_levels);

}  // namespace ta2s2
