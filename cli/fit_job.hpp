// One fit, from files to a file: what `fit` and `resume` both do.
#pragma once

#include <string>

#include "console.hpp"
#include "judgements.hpp"
#include "output.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::cli {

struct FitJob {
  std::string runs, model;
  std::string report;  // empty: none
  std::string config;  // read already; not to be overwritten
  ConsoleOptions console;
  bool is_strict = false;  // Error{judged_bad} at the end if the judgement is bad
};

// After a model was written: a summary, unless the model itself went to standard output, and warnings.
void tell_of_fit(const EmulatorRecord& model, const std::vector<Judgement>& judgements, const Output& output,
                 const std::string& path);

void run_fit_job(const FitJob& job, const ValidFitOptions& options);

}  // namespace ta2s2::cli
