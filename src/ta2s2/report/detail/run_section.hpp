// The run that made the sample, and where everything came from.
#pragma once

#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/fit_record.hpp"

namespace ta2s2::detail {

Json run_json(const FitRecord& fit);
Json provenance_json(const FitRecord& fit);

}  // namespace ta2s2::detail
