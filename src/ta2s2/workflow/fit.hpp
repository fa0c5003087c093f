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

// The same with the scaling and the prior's constants of another model of the same columns.
FitRecord fit_like(const FitRecord& model, const Dataset& data, const ValidFitOptions& options, RunContext context);

}  // namespace ta2s2
