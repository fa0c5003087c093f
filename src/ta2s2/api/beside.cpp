// What needs no fitted emulator, or more than one: comparisons, plans, densities, reports side by side.
#include <algorithm>

#include "ta2s2/api/workers.hpp"
#include "ta2s2/compare.hpp"
#include "ta2s2/emulator.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/report/report.hpp"
#include "ta2s2/workflow/compare_models.hpp"
#include "ta2s2/workflow/forecast.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {

// ---- which model, at what cost ----

namespace {

ComparedModel described(const ComparedFit& fit) {
  const FitOptions& options = fit.fit.options;
  return {.correlation = options.correlation,
          .transform = options.transform,
          .trend = options.trend,
          .prior = options.prior,
          .trend_prior = option_text(options, "trend-prior"),
          .evidence = *fit.fit.evidence,
          .log_bayes_factor = fit.log_bayes_factor,
          .log_bayes_factor_error = fit.log_bayes_factor_error,
          .weight = fit.weight,
          .weight_low = fit.weight_interval.low,
          .weight_high = fit.weight_interval.high,
          .stacking_weight = fit.stacking_weight,
          .crps = fit.mean_crps(),
          .log_density = fit.mean_log_density(),
          .num_unreliable = fit.left_out.num_unreliable,
          .seconds = fit.seconds,
          .sampler = to_word(check_sampler(fit.fit).status)};
}

}  // namespace

Comparison compare_models(const Dataset& runs, const ModelGrid& grid, const FitSettings& settings,
                          const Context& context) {
  if (!context.checkpoint.file.empty()) {
    throw Error(ErrorCode::usage, "--checkpoint belongs to one fit; leave it out");
  }
  if (runs.by_output().size() > 1) {
    throw Error(ErrorCode::usage, "--output: found " + std::to_string(runs.by_output().size()) +
                                      " outputs, expected one to compare models by");
  }
  const FitOptions base = complete({runs.columns(), settings, {}});
  const std::vector<ValidFitOptions> models = expand(
      {parse_correlations(grid.correlations), parse_choices("trend", grid.trends, {"constant", "linear"}, base.trend),
       parse_choices("prior", grid.priors, {}, base.prior),
       parse_choices("transform", grid.transforms, transform_names(), for_single_model(base).transform)},
      base);
  Workers workers(context);
  const auto progress = [&](Index number, Index total, const FitOptions& options) {
    if (!context.on_progress) return;
    context.on_progress({"--correlation " + options.correlation + " --transform " + options.transform + " --trend " +
                             options.trend + " --prior " + options.prior,
                         number, total, nullptr});
  };
  const OutputRuns& data = runs.by_output().front();
  const ComparedFits fits = compare_fits(data, models, runs.ranges(), workers.execution(), progress);
  Comparison comparison{data.output_name(), data.num_runs(), {}, fits.notices};
  for (const ComparedFit& fit : fits.models) comparison.models.push_back(described(fit));
  return comparison;
}

FitPlan plan_fit(const Dataset& runs, const FitSettings& settings, const std::vector<Index>& cores) {
  return plan_fits(runs.by_output(), resolve(runs.columns(), settings), runs.ranges(), cores);
}

Index samples_for_cores(const FitPlan& plan, Index cores) {
  std::vector<FitShape> shapes;
  for (const PlannedModel& model : plan.models) shapes.push_back(model.shape);
  return samples_for_shapes(shapes, cores);
}

// ---- a density of the user's own ----

Sample sample(const TargetDensity& target, const SamplerSettings& settings, const Context& context) {
  FitSettings all;
  all.sampler = settings;
  Workers workers(context);
  return sample_density(target, resolve({}, all), workers.execution());
}

// ---- reports ----

namespace {

Report report_of(const ReportRecord& record) {
  return {render_page(record), to_json(record) + "\n"};
}

}  // namespace

Report Emulator::report(const Dataset* validation, const Context& context) const {
  Workers workers(context);
  return report_of(make_report_record(record(), validation ? validation->by_output() : std::vector<OutputRuns>{},
                                      workers.executor()));
}

Report compare_reports(const std::string& first_label, const Report& first, const std::string& second_label,
                       const Report& second) {
  return report_of(compare_reports({first_label, find_report_record(first.json, first_label)},
                                   {second_label, find_report_record(second.json, second_label)}));
}

Report redraw_report(const std::string& text, const std::string& name) {
  return report_of(find_report_record(text, name));
}

// A model file begins with its format's name.
bool is_model_file(const std::string& text) {
  return text.substr(0, 200).find("\"ta2s2-model\"") != std::string::npos;
}

}  // namespace ta2s2
