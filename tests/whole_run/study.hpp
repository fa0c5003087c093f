// The sampler run over many seeds on one problem: how far every estimate of every run is from the truth.
#pragma once

#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/passes.hpp"
#include "whole_run/problems.hpp"

namespace ta2s2::whole_run {

enum class Kind { mean, sd, quantile, mode_weight, log_evidence };

struct Quantity {
  Kind kind;
  std::string name;  // "x1 sd"
};

// Errors of one kind of sample, (quantities, seeds). Means and sds in posterior sds, evidence in nats; a quantile's
// error is that of the probability below its true place: the place itself is ill-defined where modes leave a gap.
struct Study {
  std::vector<Quantity> quantities;
  Matrix final_errors, recycled_errors;
  Vector reported_errors;    // (seeds), the standard error of the log evidence that a run reports
  double evaluations = 0.0;  // mean over runs
};

// Seeds 1 to `num_seeds`. A run takes one worker of `executor`, as many runs at once as it has workers.
Study run_seeds(const Problem& problem, const AnnealOptions& options, Index num_seeds, Executor& executor);

// The same of the sampler `ta2s2`, whose runs have one sample each: final and recycled errors are the same.
Study run_seeds(const Problem& problem, const PassOptions& options, Index num_seeds, Executor& executor);

}  // namespace ta2s2::whole_run
