#include "ta2s2/workflow/gp_problem.hpp"

#include "ta2s2/error.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

std::shared_ptr<const GpModel> make_model(const OutputRuns& data, const Scaling& scaling, const FitOptions& options) {
  try {
    return std::make_shared<const GpModel>(
        scaling.to_unit(data.inputs()), scaling.to_standard(data.output()), Trend(options.trend, data.input_names()),
        make_covariance(for_single_model(options).correlation), options.exponent, options.trend_prior);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_data) throw;
    throw Error(ErrorCode::bad_data,
                data.where(data.num_runs() - 1) + ", column \"" + data.output_name() + "\": " + error.what());
  }
}

ParameterSpace make_space(const OutputRuns& data, const FitOptions& options) {
  const NuggetPrior nugget = make_nugget_prior(options.nugget, options.nugget_box);
  if (nugget.fixed) return ParameterSpace::with_fixed_nugget(data.input_names(), *nugget.fixed, options.box);
  return ParameterSpace::with_sampled_nugget(data.input_names(), options.box, options.nugget_box);
}

GpTarget make_target(const OutputRuns& data, const Scaling& scaling, const FitOptions& options, Index prior_runs) {
  const auto model = make_model(data, scaling, options);
  const PriorContext context{prior_runs > 0 ? prior_runs : data.num_runs(), model->num_trend_columns(),
                             data.input_names(), options.box};
  std::shared_ptr<const Prior> length_scales = make_length_scale_prior(options.prior, context);
  std::shared_ptr<const Prior> nugget = make_nugget_prior(options.nugget, options.nugget_box).prior;
  if (length_scales->covers_nugget()) nugget = nullptr;
  return GpTarget(model, make_space(data, options), length_scales, nugget, options.path,
                  choose_instruction_set(options.simd));
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
