// The emulator that the page itself computes with, for its sliders: the runs and few draws, chosen to predict as all
// do.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

// Differences from the whole sample's mean and interval ends, in its predictive standard deviations.
inline constexpr double kPageTolerance = 0.1;

Json page_emulator_json(const OutputRecord& output, Executor& executor);

}  // namespace ta2s2::detail
