// A fit as ArviZ sees one: named groups of named arrays over named dimensions.
// https://python.arviz.org/en/stable/schema/schema.html
#pragma once

#include <string>
#include <vector>

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// posterior: length_scale, log_phi (chain, draw, input) and nugget (chain, draw); ArviZ knows no weights, so draws are
// repeated in proportion to theirs, as many in all as the sample has, and in an order that means nothing.
// sample_stats: lp, the log posterior density of each draw; temperature, inverse_temperature and others by level.
// observed_data: the output; constant_data: the inputs. There is no log_likelihood: the runs are not independent given
// the hyper-parameters, so the likelihood has no term for each. Error{usage} of a fit without a sample.
InferenceData inference_data(const MemberRecord& record);

}  // namespace ta2s2
