#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "level_queue.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/summary_json.hpp"
#include "ta2s2/sample.hpp"
#include "ta2s2/workflow/inference_data.hpp"
#include "ta2s2/workflow/sample_density.hpp"

namespace ta2s2::python {
namespace {

// As many points as a call of the interpreter is worth.
constexpr int kPointsPerCall = 256;

// A log density in Python, which takes a block of points, one per row, and returns as many numbers. It counts the
// points where there was none: NaN is a mistake to be told of, -inf is not.
class PythonDensity {
 public:
  explicit PythonDensity(const nb::callable& function) : function_(function) {}

  void operator()(MatrixView points, std::span<double> out) const {
    const nb::gil_scoped_acquire locked;
    const nb::object result = function_(to_numpy(Matrix(points.transpose())));
    const InputVector values = nb::cast<InputVector>(result);
    if (values.shape(0) != out.size()) {
      throw Error(ErrorCode::usage, "the log density returned " + std::to_string(values.shape(0)) +
                                        " numbers, expected one for each of " + std::to_string(out.size()) + " points");
    }
    const StridedVector numbers = view(values);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = numbers[static_cast<Index>(i)];
      if (std::isnan(out[i])) ++num_nan_;
    }
    num_points_ += static_cast<std::int64_t>(out.size());
  }

  std::vector<std::string> notices() const {
    if (num_nan_ == 0) return {};
    return {"the log density was NaN at " + std::to_string(num_nan_) + " of " + std::to_string(num_points_) +
            " points; they count as impossible"};
  }

 private:
  const nb::callable& function_;
  mutable std::atomic<std::int64_t> num_nan_{0}, num_points_{0};
};

nb::dict to_dict(const DescribedResult& run, const std::vector<std::string>& notices) {
  nb::dict dict;
  dict["names"] = run.sample.names;
  dict["draws"] = to_numpy(Matrix(run.sample.positions.transpose()));
  dict["weights"] = to_numpy(run.sample.weights);
  dict["log_density"] = to_numpy(Vector(-run.sample.energies));
  dict["log_evidence"] = run.evidence->log_evidence;
  dict["log_evidence_error"] = run.evidence->standard_error;
  dict["summary"] = from_json(summary_json(run));
  dict["notices"] = notices;
  return dict;
}

nb::dict sample(const nb::callable& log_density, const std::vector<std::pair<double, double>>& bounds,
                const std::vector<std::string>& names, const nb::list& settings, const nb::object& on_level) {
  const ValidFitOptions options(options_from(settings));
  const auto dim = static_cast<Index>(bounds.size());
  Vector low(dim), high(dim);
  for (Index d = 0; d < dim; ++d) std::tie(low[d], high[d]) = bounds[static_cast<std::size_t>(d)];
  const PythonDensity density(log_density);
  const FunctionTarget target(std::cref(density), kPointsPerCall, low, high, names);
  LevelQueue levels(on_level);
  DescribedResult run;
  run_stoppably(
      [&](const StopFlag& stop) {
        ThreadExecutor executor(options->threads, &stop);
        run = sample_density(target, options, {executor, levels});
      },
      [&] {
        levels.hand_over();
        return Tick::go_on;
      });
  return to_dict(run, density.notices());
}

}  // namespace

void bind_density(nb::module_& module) {
  using namespace nb::literals;
  module.def("sample", &sample, "log_density"_a, "bounds"_a, "names"_a, "settings"_a, "on_level"_a.none());
  module.def(
      "equally_weighted_draws",
      [](const InputVector& weights, std::uint64_t seed) { return equally_weighted_draws(view(weights), seed); },
      "weights"_a.noconvert(), "seed"_a);
}

}  // namespace ta2s2::python
