// From data and options to the model and its target: the one place where the two meet, for fitting and predicting
// alike.
#pragma once

#include <memory>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/data/scaling.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

std::shared_ptr<const GpModel> make_model(const OutputRuns& data, const Scaling& scaling, const FitOptions& options);
ParameterSpace make_space(const OutputRuns& data, const FitOptions& options);
// `prior_runs` is the number of runs that the prior's constants are of, where these depend on it; 0: the data's own.
GpTarget make_target(const OutputRuns& data, const Scaling& scaling, const FitOptions& options, Index prior_runs = 0);

// Duplicate inputs with different outputs need a nugget that can explain them: inferred, or fixed at no less than this.
inline constexpr double kLeastNuggetForDuplicates = 1e-6;
// Throws Error{bad_data} if the nugget cannot explain the data's duplicates; else returns sentences about them.
std::vector<std::string> check_duplicates(const OutputRuns& data, const FitOptions& options);

}  // namespace ta2s2
