// What every record of a sampled posterior has, whoever sampled it.
#pragma once

#include <string>

#include "ta2s2/gp/gp_model.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

std::string utc_now();

// What turns an energy of the standardised output into one of the user's: density per unit^df of the output.
double unit_offset(const GpModel& model, const Scaling& scaling);

MapEstimate best_mode(const std::vector<Mode>& modes);

// A group without any state of positive weight at some level has no evidence at all; files hold finite numbers only.
void keep_finite(Evidence& evidence);

}  // namespace ta2s2
