// One fit, from files to a file: what `fit` and `resume` both do.
#pragma once

#include <string>

#include "console.hpp"
#include "output.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2::cli {

struct FitJob {
  std::string runs, model;
  std::string report;  // empty: none
  std::string config;  // read already; not to be overwritten
  ConsoleOptions console;
};

// After a model was written: a summary, or only its warnings where the model itself went to standard output.
void tell_of_fit(const EmulatorRecord& model, const Output& output, const std::string& path);

void run_fit_job(const FitJob& job, const ValidFitOptions& options);

}  // namespace ta2s2::cli
