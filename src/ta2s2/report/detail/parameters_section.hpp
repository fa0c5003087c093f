// Length-scales and nugget of one model.
#pragma once

#include <vector>

#include "ta2s2/report/detail/json.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

Json length_scales_json(const MemberRecord& fit, const std::vector<Index>& order);  // a row per column of `order`
Json nugget_json(const MemberRecord& fit);

}  // namespace ta2s2::detail
