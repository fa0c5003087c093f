// Where to run the simulator next: a few runs that would teach the emulator most over the ranges.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

// The points of `ta2s2 next-runs` with as many draws. Null if there are so many runs that the choice takes minutes.
Json next_runs_json(const OutputRecord& output, Executor& executor);

}  // namespace ta2s2::detail
