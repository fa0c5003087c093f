// Which models an average is over, and what each weighs. They are fitted by fit_model (workflow/fit.hpp).
#pragma once

#include <string>
#include <vector>

#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// Weights of fits of the same runs; they sum to one. Error{usage} if a fit has no evidence, or one that compares only
// with those of the same prior, and weights by evidence are asked for.
std::vector<double> model_weights(const std::vector<MemberRecord>& fits, Weighting weighting, Executor& executor);

// Stacking weights when the scores are at hand; runs that some model cannot miss are left aside.
std::vector<double> stacking_weights(const std::vector<LeftOutScores>& scores);

// The models that these options ask for: themselves, or one per correlation that is averaged over.
std::vector<ValidFitOptions> models_of(const FitOptions& options);

// The other way: the options that make this output again.
FitOptions options_of(const OutputRecord& output);

}  // namespace ta2s2
