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

OutputRecord single_model(FitRecord fit);
bool is_single(const OutputRecord& output);
bool is_single(const ModelRecord& model);  // one output, one model

// The output of this name, or the only one if the name is empty. Error{usage} that lists the outputs there are.
const OutputRecord& find_output(const ModelRecord& model, const std::string& name);
std::vector<std::string> output_names(const ModelRecord& model);

// What tells this model from the others of an average: "matern52", "matern52, linear trend".
std::string model_label(const FitOptions& options);
// The fit of this label, or the only one if it is empty. Error{usage} that lists the models there are.
const FitRecord& find_fit(const OutputRecord& output, const std::string& label);
// The model with the largest weight.
const FitRecord& heaviest_fit(const OutputRecord& output);

}  // namespace ta2s2
