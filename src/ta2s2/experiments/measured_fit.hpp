// One fit of an experiment and what it scores.
#pragma once

#include "ta2s2/exec/executor.hpp"
#include "ta2s2/experiments/test_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

FitOptions options_with(const std::vector<Setting>& settings, std::uint64_t seed);

MemberRecord fit_runs(const OutputRuns& runs, const FitOptions& options, Executor& executor);

// Scores of the sample thinned to at most `count` draws.
Scores score_thinned(const MemberRecord& record, Index count, const OutputRuns& test, Executor& executor);

double total_evaluations(const MemberRecord& record);

// Of everything that a fit's scores depend on but its seed and chance: program, settings and runs.
std::string fingerprint(const FitOptions& options, const TestProblem& problem);

// A number as a cell; an empty one if it is NaN.
std::string cell(double value);

}  // namespace ta2s2
