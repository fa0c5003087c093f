#include "ta2s2/workflow/prior_constant.hpp"

#include <cmath>

#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {

void normalise_evidence(FitRecord& fit, RunContext context) {
  if (!fit.evidence || fit.evidence->is_normalised) return;
  FitOptions options;
  options.annealing = fit.options.annealing;
  // Draws of its own: the two errors add up as independent ones.
  options.annealing.seed = ~fit.options.annealing.seed;
  find_sampler(options.sampler).choose(options);
  const GpTarget prior = make_target(fit.data, fit.scaling, fit.options).prior_alone();
  const EvidenceEstimate constant = *find_sampler(options.sampler).run(prior, options, context).evidence;
  fit.evidence->log_evidence -= constant.log_evidence;
  for (double& log_evidence : fit.evidence->by_group) log_evidence -= constant.log_evidence;
  fit.evidence->standard_error = std::hypot(fit.evidence->standard_error, constant.standard_error);
  fit.evidence->is_normalised = true;
}

}  // namespace ta2s2
