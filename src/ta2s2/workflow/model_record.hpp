// What a fit of one or several outputs leaves behind: for each output one model, or the models that it is averaged
// over.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/workflow/fit_record.hpp"

namespace ta2s2 {

struct OutputRecord {
  std::vector<FitRecord> fits;  // of the same runs, scaled alike
  std::vector<double> weights;  // of the models; sum to one
  std::string weighting;        // what gave them: "evidence", "stacking" or "equal"; empty with one model

  const std::string& name() const { return fits.front().data.output_name(); }
};

struct ModelRecord {
  std::vector<OutputRecord> outputs;
};

}  // namespace ta2s2
