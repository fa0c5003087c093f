// One fit of an experiment and what it scores.
#pragma once

#include <string>

#include "lab/simulators.hpp"
#include "ta2s2/exec/executor.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::lab {

FitOptions options_with(const std::vector<Setting>& settings, std::uint64_t seed);

MemberRecord fit_runs(const OutputRuns& runs, const FitOptions& options, Executor& executor);

// Scores of the sample thinned to at most `count` draws.
Scores score_thinned(const MemberRecord& record, Index count, const OutputRuns& test, Executor& executor);

double total_evaluations(const MemberRecord& record);

// Of everything that a fit's scores depend on but its seed and chance: program, settings and runs.
std::string fingerprint(const FitOptions& options, const TestProblem& problem);

// A number as a cell; an empty one if it is NaN.
std::string cell(double value);

// How an experiment tells what it does.
struct FitProgress {
  Index number = 0, total = 0;  // of this fit among those to do
  std::string what;             // "franke, reference, exact, design 1, seed 1"
  double seconds = 0.0;         // of the fit
};

class ExperimentObserver {
 public:
  virtual ~ExperimentObserver() = default;
  virtual void on_fit(const FitProgress&) {}
  virtual void on_notice(const std::string&) {}  // a sentence that the user should see
};

}  // namespace ta2s2::lab
