// From data and options to the model and its target: the one place where the two meet, for fitting and predicting
// alike.
#pragma once

#include <memory>

#include "ta2s2/data/output_runs.hpp"
#include "ta2s2/data/scaling.hpp"
#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/workflow/options.hpp"
#include "ta2s2/workflow/record.hpp"

namespace ta2s2 {

// What the first fit finds from its runs and every later one keeps, so that posteriors of more runs continue it.
struct ModelConstants {
  Scaling scaling;
  OutputTransform transform = {};
  Index prior_runs = 0;  // that the prior's constants are of, where these depend on it; 0: the data's own
};
ModelConstants find_constants(const OutputRuns& data, Scaling scaling, const FitOptions& options);
ModelConstants constants_of(const MemberRecord& record);

// Constants of the transformation that the options name. Error{bad_data} if these outputs cannot be transformed.
OutputTransform find_transform(const OutputRuns& data, const Scaling& scaling, const FitOptions& options);
// Whether every parameter of the transformation gives every one of these outputs a density. Runs that are added may lie
// beyond the outputs that its constants are of.
bool holds_outputs(const OutputTransform& transform, const Scaling& scaling, const Vector& output);

std::shared_ptr<const GpModel> make_model(const OutputRuns& data, const ModelConstants& constants,
                                          const FitOptions& options);
ParameterSpace make_space(const OutputRuns& data, const FitOptions& options, const OutputTransform& transform);
GpTarget make_target(const OutputRuns& data, const ModelConstants& constants, const FitOptions& options);

// Of a fit.
std::shared_ptr<const GpModel> make_model(const MemberRecord& record);
ParameterSpace make_space(const MemberRecord& record);
// Of a first fit with this scaling.
GpTarget make_target(const OutputRuns& data, const Scaling& scaling, const FitOptions& options);

// Duplicate inputs with different outputs need a nugget that can explain them: inferred, or fixed at no less than this.
inline constexpr double kLeastNuggetForDuplicates = 1e-6;
// Throws Error{bad_data} if the nugget cannot explain the data's duplicates; else returns sentences about them.
std::vector<std::string> check_duplicates(const OutputRuns& data, const FitOptions& options);

}  // namespace ta2s2
