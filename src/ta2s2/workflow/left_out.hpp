// What a fit would have said of each of its runs without it, and how that scores.
#pragma once

#include <vector>

#include "ta2s2/predictive/leave_one_out.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// From few draws (left_out.cpp), so that it costs a small part of a fit.
LeftOutRuns left_out_runs(const MemberRecord& fit, Executor& executor);
// An average by evidence is one posterior over models and hyper-parameters, so that without a run models too weigh
// otherwise. Weights by stacking, and equal ones, are no probabilities and stay; k-hat is then the largest of the
// models that carry a run's prediction. Laws are recalibrated as the record says, by a factor that all runs gave.
LeftOutRuns left_out_runs(const OutputRecord& output, Executor& executor);

// The facts of such runs, or of those that left_out_runs finds; without a run if they are too few for any to be left
// out.
LeftOutFacts find_left_out_facts(const LeftOutRuns& runs, const OutputRecord& output, Executor& executor);
LeftOutFacts find_left_out_facts(const OutputRecord& output, Executor& executor);
// Both that left-out runs say of an output whose models are weighed: the factor of recalibration, if the settings ask
// for one, and the facts of laws with that factor.
void learn_from_left_out(OutputRecord& output, Executor& executor);
// Those that the fit stored, else found now.
LeftOutFacts left_out_facts(const OutputRecord& output, Executor& executor);

// Whether the runs are enough for one to be predicted from the others.
bool can_leave_one_out(const MemberRecord& fit);

// Per run; NaN of a run without which the trend cannot be found.
struct LeftOutScores {
  Vector log_density;  // log p(y_i | y without i)
  Vector crps;
  Index num_unreliable = 0;  // runs whose weights have a shape above JudgeLimits::largest_shape
};

// From as many draws as take about ten seconds of one core, within what smoothing needs and gains from.
LeftOutScores left_out_scores(const MemberRecord& fit, Executor& executor);

}  // namespace ta2s2
