// The posterior of the hyper-parameters: draws for the pair plot, modes with names and what they predict differently.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

Json posterior_json(const MemberRecord& fit, Executor& executor);

}  // namespace ta2s2::detail
