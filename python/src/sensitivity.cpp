#include "ta2s2/workflow/sensitivity.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_object.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::python {
namespace {

using NamedDistribution = std::pair<std::string, std::string>;

nb::dict to_dict(const Sensitivity& result, SensitivitySample sample) {
  nb::list names, distributions, effects, grids;
  for (std::size_t d = 0; d < result.inputs.size(); ++d) {
    names.append(result.inputs[d].name);
    distributions.append(result.inputs[d].distribution);
    grids.append(to_numpy(std::move(sample.grids[d])));
    effects.append(to_numpy(std::move(sample.effects[d])));
  }
  nb::dict dict;
  dict["inputs"] = names;
  dict["distributions"] = distributions;
  dict["first"] = to_numpy(std::move(sample.first));
  dict["total"] = to_numpy(std::move(sample.total));
  dict["mean"] = to_numpy(std::move(sample.means));
  dict["variance"] = to_numpy(std::move(sample.variances));
  dict["grids"] = grids;
  dict["effects"] = effects;
  dict["first_error"] = to_numpy(std::move(sample.first_errors));
  dict["total_error"] = to_numpy(std::move(sample.total_errors));
  dict["share_outside"] = result.share_outside;
  dict["notices"] = result.notices;
  return dict;
}

nb::dict sensitivity(const Fit& fit, const std::vector<NamedDistribution>& given, Index paths, Index points,
                     std::uint64_t seed, int threads) {
  const Predictive& predictive = fit.predictive(false);
  const std::vector<std::string>& names = fit.record().data.input_names();
  std::vector<InputStatement> statements;
  for (const auto& [name, distribution] : given) statements.push_back({name, distribution, ""});
  const InputDistributions inputs = match_inputs(statements, names, predictive);
  SensitivityOptions options;
  options.num_paths = paths;
  options.num_points = points;
  options.seed = seed;
  SensitivitySample sample;
  Sensitivity result;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    sample = analyse_sensitivity(predictive, inputs, options, executor);
    result = summarise_sensitivity(sample, inputs, names, predictive);
  });
  return to_dict(result, std::move(sample));
}

}  // namespace

void bind_sensitivity(nb::module_& module) {
  module.def("sensitivity", &sensitivity);
}

}  // namespace ta2s2::python
