// What matters, and its shape: length-scales, the nugget, total effects with the chance that an input is inert, main
// effects.
#pragma once

#include "ta2s2/emulator/effects.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/fit_record.hpp"

namespace ta2s2::detail {

inline constexpr Index kEffectPoints = 256;

Json inputs_json(const FitRecord& fit, Executor& executor);  // by falling importance
Json nugget_json(const FitRecord& fit);
Json main_effects_json(const FitRecord& fit, Executor& executor);  // in the order of the columns

}  // namespace ta2s2::detail
