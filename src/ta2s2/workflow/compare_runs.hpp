// Two runs of one fit with different seeds: what both estimate, and how far apart chance may put them.
#pragma once

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Means and sds of the sampling coordinates, the log evidence if both have one, and each mode's weight.
RunComparison compare_runs(const MemberRecord& first, const MemberRecord& second);

// |first - second| in units of its error; at most kFarthest, which stands for a difference without any error.
double standardised_difference(const ComparedQuantity& quantity);
inline constexpr double kFarthest = 1e6;

}  // namespace ta2s2
