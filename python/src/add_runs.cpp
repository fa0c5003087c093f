#include "ta2s2/workflow/add_runs_to_model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_object.hpp"
#include "level_queue.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2::python {
namespace {

// A column of `outputs` for each fit. The fits with all runs, and what the new ones gave rise to say.
nb::tuple fits_with_more_runs(const nb::list& fits, const InputMatrix& inputs, const InputMatrix& outputs,
                              std::optional<std::uint64_t> seed, int threads, const nb::object& on_level) {
  const EmulatorRecord known = model_of(fits);
  std::vector<OutputRuns> added;
  for (std::size_t k = 0; k < known.outputs.size(); ++k) {
    const OutputRuns& data = known.outputs[k].members.front().data;
    added.emplace_back(view(inputs), view(outputs).col(static_cast<Index>(k)), data.input_names(), data.output_name());
  }
  LevelQueue levels(on_level);
  EmulatorRecord updated;
  run_stoppably(
      [&](const StopFlag& stop) {
        ThreadExecutor executor(threads, &stop);
        updated = add_runs(known, added, {.seed = seed}, {executor, levels});
      },
      [&] {
        levels.hand_over();
        return Tick::go_on;
      });
  const std::vector<std::string> notices = notices_of_update(known, updated);
  return nb::make_tuple(fits_of(std::move(updated)), notices);
}

}  // namespace

void bind_add_runs(nb::module_& module) {
  using namespace nb::literals;
  module.def("add_runs", &fits_with_more_runs, "fits"_a, "inputs"_a.noconvert(), "outputs"_a.noconvert(),
             "seed"_a.none(), "threads"_a, "on_level"_a.none());
}

}  // namespace ta2s2::python
