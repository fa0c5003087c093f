// From runs to an emulator.
#pragma once

#include "ta2s2/data/dataset.hpp"
#include "ta2s2/data/input_range.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/fit_record.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

FitRecord fit(const Dataset& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
              RunContext context);

}  // namespace ta2s2
