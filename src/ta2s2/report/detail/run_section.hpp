// The run that made the sample, and where everything came from.
#pragma once

#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

Json run_json(const MemberRecord& fit);
// Of all models together.
Json totals_json(const OutputRecord& output);
Json provenance_json(const OutputRecord& output);

}  // namespace ta2s2::detail
