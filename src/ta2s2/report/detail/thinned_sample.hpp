// A few draws of a fit's sample, for what costs too much with all of them.
#pragma once

#include "ta2s2/predictive/predictive.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::detail {

// What draws are thinned for; each purpose has a stream of its own.
enum class Thinning : std::uint64_t {
  effects = 2,
  pairs = 3
};  // 1 is leave-one-out's (workflow/left_out.cpp), 4 that of joint replicates (workflow/chance_law.cpp)

// The sample as it is if it has no more draws.
PosteriorSample thinned_sample(const MemberRecord& fit, Index count, Thinning purpose);
// Of all models together, by weight.
Predictive thinned_emulator(const OutputRecord& output, Index count, Thinning purpose);

}  // namespace ta2s2::detail
