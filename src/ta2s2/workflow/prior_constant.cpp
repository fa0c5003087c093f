#include "ta2s2/workflow/prior_constant.hpp"

#include <cmath>

#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {

EvidenceEstimate log_prior_constant(const OutputRuns& data, const Scaling& scaling, const FitOptions& options,
                                    Index prior_runs, Execution context) {
  FitOptions own;
  own.annealing = options.annealing;
  // Draws of its own: the two errors add up as independent ones.
  own.annealing.seed = ~options.annealing.seed;
  find_sampler(own.sampler).choose(own);
  const GpTarget prior = make_target(data, scaling, options, prior_runs).prior_alone();
  return *find_sampler(own.sampler).run(prior, own, context).evidence;
}

void normalise_evidence(MemberRecord& fit, Execution context) {
  if (!fit.evidence || fit.evidence->is_normalised) return;
  const EvidenceEstimate constant = log_prior_constant(fit.data, fit.scaling, fit.options, prior_runs_of(fit), context);
  fit.evidence->log_evidence -= constant.log_evidence;
  for (double& log_evidence : fit.evidence->by_group) log_evidence -= constant.log_evidence;
  fit.evidence->standard_error = std::hypot(fit.evidence->standard_error, constant.standard_error);
  fit.evidence->is_normalised = true;
}

}  // namespace ta2s2
