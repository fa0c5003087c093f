// The constant of a prior that is known but for it, so that evidences under it compare with others.
#pragma once

#include "ta2s2/data/dataset.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/workflow/fit_record.hpp"

namespace ta2s2 {

// Nothing if the fit's evidence is normalised, or there is none. Else the sampler integrates the prior alone over the
// box, and the log evidence is divided by what it finds; its error has both parts.
void normalise_evidence(FitRecord& fit, RunContext context);

}  // namespace ta2s2
