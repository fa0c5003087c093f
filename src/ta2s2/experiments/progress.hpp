// How an experiment tells what it does.
#pragma once

#include <string>

#include "ta2s2/types.hpp"

namespace ta2s2 {

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

}  // namespace ta2s2
