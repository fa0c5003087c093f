// One plan for all processes of a run. Each makes it from the same numbers, but processors of different models may
// differ in a last digit and so, some level later, in a decision.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/smc/level_plan.hpp"

namespace ta2s2 {

// The first process's temperature, covariance, mixture, starts and lengths. What AIMS mixes is left as it was made: it
// decides nothing by itself.
LevelPlan agreed_plan(LevelPlan plan, Executor& executor);

}  // namespace ta2s2
