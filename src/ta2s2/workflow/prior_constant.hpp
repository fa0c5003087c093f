// The constant of a prior that is known but for it, so that evidences under it compare with others.
#pragma once

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// The log of the prior's integral over the box. `prior_runs` as make_target has it.
EvidenceEstimate log_prior_constant(const OutputRuns& data, const Scaling& scaling, const FitOptions& options,
                                    Index prior_runs, Execution context);

// Nothing if the fit's evidence is normalised, or there is none. Else the sampler integrates the prior alone over the
// box, and the log evidence is divided by what it finds; its error has both parts.
void normalise_evidence(MemberRecord& fit, Execution context);

}  // namespace ta2s2
