#include "ta2s2/workflow/gp_problem.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

namespace {

// Of a correlation that has one.
template <class Correlation>
std::optional<NormalCoordinate> shape_of(const Correlation& correlation) {
  if constexpr (requires { correlation.shape(); }) {
    return correlation.shape();
  } else {
    return std::nullopt;
  }
}

}  // namespace

OutputTransform find_transform(const OutputRuns& data, const Scaling& scaling, const FitOptions& options) {
  const double zero = -scaling.output_mean() / scaling.output_sd();
  try {
    return OutputTransform::from(for_single_model(options).transform, scaling.to_standard(data.output()), zero);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data) throw;
    throw Error(ErrorCode::bad_data, "output \"" + data.output_name() + "\": " + error.what());
  }
}

// The support grows with each parameter.
bool holds_outputs(const OutputTransform& transform, const Scaling& scaling, const Vector& output) {
  double least[OutputTransform::kMostParameters] = {};
  const std::vector<NormalCoordinate>& coordinates = transform.coordinates();
  for (std::size_t k = 0; k < coordinates.size(); ++k) least[k] = coordinates[k].box.low;
  const Vector standard = scaling.to_standard(output);
  return std::all_of(standard.begin(), standard.end(),
                     [&](double y) { return std::isfinite(transform.at(y, least).log_slope); });
}

ModelConstants find_constants(const OutputRuns& data, Scaling scaling, const FitOptions& options) {
  const OutputTransform transform = find_transform(data, scaling, options);
  return {std::move(scaling), transform};
}

ModelConstants constants_of(const MemberRecord& record) {
  return {record.scaling, record.transform, prior_runs_of(record)};
}

std::shared_ptr<const GpModel> make_model(const OutputRuns& data, const ModelConstants& constants,
                                          const FitOptions& options) {
  try {
    return std::make_shared<const GpModel>(
        constants.scaling.to_unit(data.inputs()), constants.scaling.to_standard(data.output()),
        Trend(options.trend, data.input_names()), make_covariance(for_single_model(options).correlation),
        options.exponent, options.trend_prior, constants.transform);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data) throw;
    throw Error(ErrorCode::bad_data,
                data.where(data.num_runs() - 1) + ", column \"" + data.output_name() + "\": " + error.what());
  }
}

ParameterSpace make_space(const OutputRuns& data, const FitOptions& options, const OutputTransform& transform) {
  const NuggetPrior nugget = make_nugget_prior(options.nugget, options.nugget_box);
  const ParameterSpace space =
      nugget.fixed ? ParameterSpace::with_fixed_nugget(data.input_names(), *nugget.fixed, options.box)
                   : ParameterSpace::with_sampled_nugget(data.input_names(), options.box, options.nugget_box);
  return space.with_normal_coordinates(shape_of(*make_covariance(for_single_model(options).correlation)),
                                       transform.coordinates());
}

GpTarget make_target(const OutputRuns& data, const ModelConstants& constants, const FitOptions& options) {
  const auto model = make_model(data, constants, options);
  const PriorContext context{constants.prior_runs > 0 ? constants.prior_runs : data.num_runs(),
                             model->num_trend_columns(), data.input_names(), options.box};
  std::shared_ptr<const Prior> length_scales = make_length_scale_prior(options.prior, context);
  std::shared_ptr<const Prior> nugget = make_nugget_prior(options.nugget, options.nugget_box).prior;
  if (length_scales->covers_nugget()) nugget = nullptr;
  return GpTarget(model, make_space(data, options, constants.transform), length_scales, nugget, options.path,
                  choose_instruction_set(options.simd));
}

std::shared_ptr<const GpModel> make_model(const MemberRecord& record) {
  return make_model(record.data, constants_of(record), record.options);
}

ParameterSpace make_space(const MemberRecord& record) {
  return make_space(record.data, record.options, record.transform);
}

GpTarget make_target(const OutputRuns& data, const Scaling& scaling, const FitOptions& options) {
  return make_target(data, find_constants(data, scaling, options), options);
}

std::vector<std::string> check_duplicates(const OutputRuns& data, const FitOptions& options) {
  const DuplicateRuns duplicates = find_duplicate_runs(data);
  if (duplicates.groups == 0) return {};
  const auto fixed = make_nugget_prior(options.nugget, options.nugget_box).fixed;
  const std::string lines = (data.lines().empty() ? "runs " : "lines ") + std::to_string(duplicates.first_line) +
                            " and " + std::to_string(duplicates.second_line);
  if (duplicates.differing_outputs && fixed && *fixed < kLeastNuggetForDuplicates) {
    throw Error(ErrorCode::bad_data,
                data.path() + ", " + lines + ": equal inputs with different outputs, which a nugget fixed at " +
                    format_number(*fixed) + " cannot explain; expected an inferred nugget or one of at least " +
                    format_number(kLeastNuggetForDuplicates));
  }
  if (fixed && *fixed < kNuggetLowerBound) {
    throw Error(ErrorCode::bad_data,
                data.path() + ": " + std::to_string(duplicates.groups) +
                    " sets of runs with equal inputs, with which a nugget fixed at " + format_number(*fixed) +
                    " makes the correlation matrix singular; expected at least " + format_number(kNuggetLowerBound));
  }
  const std::string groups = std::to_string(duplicates.groups) + " set(s) of runs with equal inputs";
  if (!duplicates.differing_outputs) return {groups + ", equal in their outputs too: they tell the model nothing new"};
  return {groups + " and different outputs (first: " + lines + "): the nugget takes up the difference"};
}

}  // namespace ta2s2
