// What needs no fitted emulator: settings, designs, comparisons, densities.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/compare.hpp"
#include "ta2s2/design.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/posterior.hpp"

namespace ta2s2::python {

FitRequest request_from(const nb::list& settings) {
  std::vector<Setting> typed;
  for (const nb::handle item : settings) {
    typed.push_back({nb::cast<std::string>(item[0]), nb::cast<std::string>(item[1])});
  }
  FitRequest request;
  set_options(request, typed);
  return request;
}

std::vector<InputRange> ranges_of(const FitRequest& request, const std::vector<DeclaredRange>& given) {
  if (!request.columns.ranges.empty()) return read_ranges(request.columns.ranges);
  std::vector<InputRange> ranges;
  for (const auto& [name, low, high] : given) ranges.push_back({name, low, high});
  return ranges;
}

namespace {

nb::list options() {
  nb::list options;
  for (const Option& option : option_table()) {
    nb::dict described;
    described["name"] = option.name;
    described["alias"] = option.alias;
    described["symbol"] = option.symbol;
    described["range"] = option.range;
    described["help"] = option.help;
    described["is_flag"] = option.is_flag;
    described["default"] = option.default_text;
    options.append(described);
  }
  return options;
}

// ---- designs ----

DesignKind kind_of(const std::string& word) {
  if (word == "maximin") return DesignKind::maximin;
  if (word == "random") return DesignKind::random;
  if (word == "sobol") return DesignKind::sobol;
  throw Error(ErrorCode::usage, "--kind: found \"" + word + "\", expected one of maximin, random, sobol");
}

OutputMatrix design(Index runs, const std::vector<std::pair<double, double>>& bounds, const std::string& kind,
                    std::uint64_t seed) {
  std::vector<InputRange> ranges;
  for (const auto& [low, high] : bounds) ranges.push_back({"x" + std::to_string(ranges.size() + 1), low, high});
  const DesignOptions options{static_cast<Index>(ranges.size()), runs, kind_of(kind), seed};
  return to_numpy(to_ranges(make_design(options), ranges));
}

// ---- which model suits the runs ----

nb::dict to_dict(const ComparedModel& model) {
  nb::dict row;
  row["correlation"] = model.correlation;
  row["transform"] = model.transform;
  row["trend"] = model.trend;
  row["prior"] = model.prior;
  row["trend_prior"] = model.trend_prior;
  row["log_evidence"] = model.evidence.log_evidence;
  row["log_evidence_error"] = model.evidence.standard_error;
  row["log_bayes_factor"] = model.log_bayes_factor;
  row["log_bayes_factor_error"] = model.log_bayes_factor_error;
  row["weight"] = model.weight;
  row["weight_low"] = model.weight_low;
  row["weight_high"] = model.weight_high;
  row["stacking_weight"] = model.stacking_weight;
  row["loo_crps"] = model.crps;
  row["loo_log_density"] = model.log_density;
  row["loo_unreliable_runs"] = model.num_unreliable;
  row["seconds"] = model.seconds;
  row["verdict"] = model.sampler;
  return row;
}

// `correlation`, `trend`, `prior` and `transform` as on the command line: choices separated by commas, or all.
nb::tuple compare(const InputMatrix& inputs, const InputMatrix& output, const std::vector<std::string>& input_names,
                  const std::string& output_name, const nb::list& settings, const std::string& correlation,
                  const std::string& trend, const std::string& prior, const std::string& transform,
                  const std::vector<DeclaredRange>& ranges) {
  const FitRequest request = request_from(settings);
  const Dataset runs = Dataset::from_arrays(view(inputs), view(output), input_names, {output_name},
                                            ranges_of(request, ranges), request.columns);
  Comparison comparison;
  run_stoppably(request.context.threads, [&](Context context) {
    context.checkpoint = request.context.checkpoint;
    comparison = compare_models(runs, {correlation, trend, prior, transform}, request.settings, context);
  });
  nb::list rows;
  for (const ComparedModel& model : comparison.models) rows.append(to_dict(model));
  return nb::make_tuple(rows, comparison.notices);
}

// ---- a density of the user's own ----

// A log density in Python, which takes a block of points, one per row, and returns as many numbers. It counts the
// points where there was none: NaN is a mistake to be told of, -inf is not.
class PythonDensity {
 public:
  explicit PythonDensity(const nb::callable& function) : function_(function) {}

  void operator()(MatrixView points, std::span<double> out) const {
    const nb::gil_scoped_acquire locked;
    take(nb::cast<InputVector>(nb::object(function_(to_numpy(Matrix(points.transpose()))))), out);
  }

  // Of a function that returns both.
  void operator()(MatrixView points, std::span<double> out, Eigen::Ref<Matrix> gradients) const {
    const nb::gil_scoped_acquire locked;
    const auto both = nb::cast<nb::tuple>(nb::object(function_(to_numpy(Matrix(points.transpose())))));
    take(nb::cast<InputVector>(both[0]), out);
    const auto slopes = nb::cast<InputMatrix>(both[1]);
    if (slopes.shape(0) != out.size() || static_cast<Index>(slopes.shape(1)) != points.rows()) {
      throw Error(ErrorCode::usage, "the log density returned gradients of shape (" + std::to_string(slopes.shape(0)) +
                                        ", " + std::to_string(slopes.shape(1)) + "), expected (" +
                                        std::to_string(out.size()) + ", " + std::to_string(points.rows()) + ")");
    }
    gradients = view(slopes).transpose();
  }

  std::vector<std::string> notices() const {
    if (num_nan_ == 0) return {};
    return {"the log density was NaN at " + std::to_string(num_nan_) + " of " + std::to_string(num_points_) +
            " points; they count as impossible"};
  }

 private:
  void take(const InputVector& values, std::span<double> out) const {
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

  const nb::callable& function_;
  mutable std::atomic<std::int64_t> num_nan_{0}, num_points_{0};
};

nb::dict sample_density(const nb::callable& log_density, const std::vector<std::pair<double, double>>& bounds,
                        const std::vector<std::string>& names, bool has_gradient, int points_per_call,
                        const nb::list& settings, const nb::object& on_level) {
  const FitRequest request = request_from(settings);
  const auto dim = static_cast<Index>(bounds.size());
  Vector low(dim), high(dim);
  for (Index d = 0; d < dim; ++d) std::tie(low[d], high[d]) = bounds[static_cast<std::size_t>(d)];
  const PythonDensity density(log_density);
  const FunctionTarget target =
      has_gradient
          ? FunctionTarget(FunctionTarget::BlockLogDensityAndGradient(std::cref(density)), points_per_call, low, high,
                           names)
          : FunctionTarget(FunctionTarget::BlockLogDensity(std::cref(density)), points_per_call, low, high, names);
  Sample found;
  run_stoppably(
      request.context.threads,
      [&](const Context& context) { found = sample(target, request.settings.sampler, context); }, on_level);
  nb::dict dict;
  dict["names"] = found.sample.names;
  dict["draws"] = to_numpy(Matrix(found.sample.positions.transpose()));
  dict["weights"] = to_numpy(found.sample.weights);
  dict["log_density"] = to_numpy(Vector(-found.sample.energies));
  dict["log_evidence"] = found.evidence->log_evidence;
  dict["log_evidence_error"] = found.evidence->standard_error;
  dict["summary"] = from_json(to_json(found));
  dict["judgement"] = from_json(to_json(found.judgement));
  dict["notices"] = density.notices();
  return dict;
}

}  // namespace

void bind_functions(nb::module_& module) {
  using namespace nb::literals;
  module.def("option_table", &options, "The settings of a fit, as dictionaries of text.");
  module.def("design", &design, "runs"_a, "bounds"_a, "kind"_a, "seed"_a, "A design over a box, one run per row.");
  module.def("compare", &compare, "inputs"_a.noconvert(), "output"_a.noconvert(), "input_names"_a, "output_name"_a,
             "settings"_a, "correlation"_a, "trend"_a, "prior"_a, "transform"_a, "ranges"_a);
  module.def("sample", &sample_density, "log_density"_a, "bounds"_a, "names"_a, "has_gradient"_a, "points_per_call"_a,
             "settings"_a, "on_level"_a.none());
  module.def(
      "equally_weighted_draws",
      [](const InputVector& weights, std::uint64_t seed) { return equally_weighted_draws(view(weights), seed); },
      "weights"_a.noconvert(), "seed"_a);
}

}  // namespace ta2s2::python
