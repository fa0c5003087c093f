// Which models an average is over. They are fitted by fit_model (workflow/fit.hpp) and weighed by
// workflow/weighting.hpp.
#pragma once

#include <vector>

#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// The models that these options ask for: themselves, or one per member of the average.
std::vector<ValidFitOptions> models_of(const FitOptions& options);

// Says in a model's options that its sample is one of an average. No settings, so that files do not hold them.
void mark_as_part(FitOptions& options, Weighting weighting, std::size_t num_models);

// The other way: the options that make this output again.
FitOptions options_of(const OutputRecord& output);

}  // namespace ta2s2
