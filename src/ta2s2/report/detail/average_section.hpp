// The models of an average: what each weighs and why, and what only it can show.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

// Null of one model.
Json average_json(const OutputRecord& output);

// Of each model, the one with the largest weight first: its weight, length-scales, nugget, posterior, run. `order`: the
// inputs' columns as the page lists them.
Json models_json(const OutputRecord& output, const std::vector<Index>& order, Executor& executor);

}  // namespace ta2s2::detail
