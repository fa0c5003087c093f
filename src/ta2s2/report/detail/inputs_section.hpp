// What matters, and its shape: Sobol indices with the chance that an input is inert, main effects.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

// By falling importance. The numbers are those of `ta2s2 sensitivity` with as many paths.
Json inputs_json(const OutputRecord& output, Executor& executor);
Json main_effects_json(const OutputRecord& output, Executor& executor);  // in the order of the columns

}  // namespace ta2s2::detail
