#include "ta2s2/workflow/compare_models.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/covariance.hpp"
#include "ta2s2/workflow/judge.hpp"

namespace ta2s2::python {
namespace {

nb::dict to_dict(const ComparedModel& model) {
  const FitOptions& options = model.fit.options;
  nb::dict row;
  row["correlation"] = options.correlation;
  row["trend"] = options.trend;
  row["prior"] = options.prior;
  row["trend_prior"] = find_option("trend-prior")->get(options);
  row["log_evidence"] = model.fit.evidence->log_evidence;
  row["log_evidence_error"] = model.fit.evidence->standard_error;
  row["log_bayes_factor"] = model.log_bayes_factor;
  row["log_bayes_factor_error"] = model.log_bayes_factor_error;
  row["weight"] = model.weight;
  row["weight_low"] = model.weight_interval.low;
  row["weight_high"] = model.weight_interval.high;
  row["stacking_weight"] = model.stacking_weight;
  row["loo_crps"] = model.mean_crps();
  row["loo_log_density"] = model.mean_log_density();
  row["loo_unreliable_runs"] = model.left_out.num_unreliable;
  row["seconds"] = model.seconds;
  row["verdict"] = to_word(check_sampler(model.fit).status);
  return row;
}

// `correlation`, `trend` and `prior` as on the command line: choices separated by commas, or all.
nb::tuple compare(const InputMatrix& inputs, const InputVector& output, const std::vector<std::string>& input_names,
                  const std::string& output_name, const nb::list& settings, const std::string& correlation,
                  const std::string& trend, const std::string& prior, const std::vector<DeclaredRange>& ranges) {
  const FitOptions base = options_from(settings);
  const ModelGrid grid = {parse_correlations(correlation),
                          parse_choices("trend", trend, {"constant", "linear"}, base.trend),
                          parse_choices("prior", prior, {}, base.prior)};
  const std::vector<ValidFitOptions> models = expand(grid, base);
  const OutputRuns data = take_runs(view(inputs), view(output), input_names, output_name);
  ModelComparison comparison;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(base.threads, &stop);
    Observer silent;
    comparison = compare_models(data, models, ranges_of(base, ranges), {executor, silent}, nullptr);
  });
  nb::list rows, notices;
  for (const ComparedModel& model : comparison.models) rows.append(to_dict(model));
  for (const std::string& notice : comparison.notices) notices.append(notice);
  return nb::make_tuple(rows, notices);
}

}  // namespace

void bind_compare(nb::module_& module) {
  using namespace nb::literals;
  module.def("compare", &compare, "inputs"_a.noconvert(), "output"_a.noconvert(), "input_names"_a, "output_name"_a,
             "settings"_a, "correlation"_a, "trend"_a, "prior"_a, "ranges"_a);
}

}  // namespace ta2s2::python
