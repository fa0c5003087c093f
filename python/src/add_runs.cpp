#include "ta2s2/workflow/add_runs.hpp"

#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_object.hpp"
#include "level_queue.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/base/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::python {
namespace {

Fit fit_with_more_runs(const Fit& fit, const InputMatrix& inputs, const InputVector& output,
                       std::optional<std::uint64_t> seed, int threads, const nb::object& on_level) {
  if (!is_single(fit.output())) {
    throw Error(ErrorCode::usage, "found an average over models, expected a fit of one model to add runs to");
  }
  const Dataset& known = fit.record().data;
  const Dataset added(view(inputs), view(output), known.input_names(), known.output_name());
  LevelQueue levels(on_level);
  std::optional<FitRecord> record;
  run_stoppably(
      [&](const StopFlag& stop) {
        ThreadExecutor executor(threads, &stop);
        record = add_runs(fit.record(), added, {.seed = seed}, {executor, levels});
      },
      [&] {
        levels.hand_over();
        return Tick::go_on;
      });
  return Fit(single_model(std::move(*record)));
}

}  // namespace

void bind_add_runs(nb::module_& module) {
  using namespace nb::literals;
  module.def("add_runs", &fit_with_more_runs, "fit"_a, "inputs"_a.noconvert(), "output"_a.noconvert(), "seed"_a.none(),
             "threads"_a, "on_level"_a.none());
}

}  // namespace ta2s2::python
