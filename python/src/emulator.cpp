#include "ta2s2/emulator.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "stoppable_run.hpp"

namespace ta2s2::python {
namespace {

using Emulators = std::vector<Emulator>;

// Python holds an emulator for each output.
Emulators by_output(const Emulator& emulator) {
  Emulators outputs;
  for (const std::string& name : emulator.output_names()) outputs.push_back(emulator.output(name));
  return outputs;
}

std::vector<std::string> scale_words(const Emulator& emulator) {
  std::vector<std::string> words;
  for (const InputScale scale : emulator.input_scales()) words.push_back(scale == InputScale::log ? "log" : "linear");
  return words;
}

// ---- made, written and read ----

Emulators fit(const InputMatrix& inputs, const InputMatrix& outputs, const std::vector<std::string>& input_names,
              const std::vector<std::string>& output_names, const nb::list& settings,
              const std::vector<DeclaredRange>& ranges, const nb::object& on_level) {
  const FitRequest request = request_from(settings);
  check_settings(request);
  const Dataset runs = Dataset::from_arrays(view(inputs), view(outputs), input_names, output_names,
                                            ranges_of(request, ranges), request.columns);
  std::optional<Emulator> emulator;
  run_stoppably(
      request.context.threads,
      [&](Context context) {
        context.checkpoint = request.context.checkpoint;
        emulator = Emulator::fit(runs, request.settings, context);
      },
      on_level);
  // Not before the emulator is the caller's: a signal until here leaves the checkpoint to go on from.
  if (!request.context.checkpoint.file.empty()) remove_checkpoint(request.context.checkpoint.file);
  return by_output(*emulator);
}

Emulators load(const std::string& path, const std::string& output) {
  const Emulator emulator = Emulator::load(path);
  return by_output(output.empty() ? emulator : emulator.output(output));
}

// With the emulators that have learnt from these runs too, what the runs gave rise to say.
nb::tuple add_runs(const Emulators& known, const InputMatrix& inputs, const InputMatrix& outputs,
                   std::optional<std::uint64_t> seed, int threads, const nb::object& on_level) {
  const Emulator before = Emulator::side_by_side(known);
  const Dataset more = before.take_runs(view(inputs), view(outputs));
  std::optional<Emulator> after;
  run_stoppably(
      threads, [&](const Context& context) { after = before.add_runs(more, {.seed = seed}, context); }, on_level);
  return nb::make_tuple(by_output(*after), before.notices_of_update(*after));
}

void save_text(const std::string& text, const std::string& path) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

// ---- what it says of the simulator ----

Prediction predict(const Emulator& emulator, const InputMatrix& points, const PredictOptions& options, int threads) {
  Prediction prediction;
  run_stoppably(threads,
                [&](const Context& context) { prediction = emulator.predict(view(points), options, context); });
  return prediction;
}

nb::tuple means(const Emulator& emulator, const InputMatrix& points, const std::vector<double>& quantiles, bool latent,
                bool map, int threads) {
  Prediction found = predict(emulator, points, {.quantiles = quantiles, .latent = latent, .plug_in = map}, threads);
  return nb::make_tuple(to_numpy(Vector(found.mean.col(0))), to_numpy(Vector(found.sd.col(0))),
                        to_numpy(std::move(found.quantiles.front())), to_numpy(std::move(found.outside)));
}

OutputMatrix covariance(const Emulator& emulator, const InputMatrix& points, bool latent, bool map, int threads) {
  Prediction found = predict(emulator, points, {.latent = latent, .plug_in = map, .covariance = true}, threads);
  return to_numpy(std::move(found.covariance.front()));
}

OutputMatrix joint_draws(const Emulator& emulator, const InputMatrix& points, Index count, std::uint64_t seed,
                         bool latent, int threads) {
  Prediction found = predict(emulator, points, {.latent = latent, .draws = count, .seed = seed}, threads);
  return to_numpy(std::move(found.draws.front()));
}

// From a CSV file to another; the warning on points outside the ranges, or an empty text.
std::string predict_csv(const Emulators& emulators, const std::string& points, const std::string& path,
                        const std::vector<double>& quantiles, bool latent, bool map, int threads) {
  const Emulator emulator = Emulator::side_by_side(emulators);
  AtomicFile file(path);
  std::string warning;
  run_stoppably(threads, [&](const Context& context) {
    warning = emulator.predict_csv(points, file.stream(), {.quantiles = quantiles, .latent = latent, .plug_in = map},
                                   context);
  });
  file.commit();
  return warning;
}

nb::dict to_dict(const Scores& scores) {
  nb::dict coverage;
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) {
    coverage[nb::float_(kCoverageLevels[i])] = scores.coverage[i];
  }
  nb::dict dict;
  dict["n"] = scores.n;
  dict["rmse"] = scores.rmse;
  dict["crps"] = scores.crps;
  dict["crps_normal_mixture"] = scores.crps_normal_mixture;
  dict["nlpd"] = scores.nlpd;
  dict["interval_score_95"] = scores.interval_score_95;
  dict["coverage"] = coverage;
  dict["pit"] = to_numpy(Vector(Eigen::Map<const Vector>(scores.pit.data(), static_cast<Index>(scores.pit.size()))));
  return dict;
}

nb::dict validate(const Emulator& emulator, const InputMatrix& inputs, const InputMatrix& outputs, int threads) {
  const Dataset unseen = emulator.take_runs(view(inputs), view(outputs));
  OutputValidation found;
  run_stoppably(threads, [&](const Context& context) { found = emulator.validate(unseen, context).front(); });
  nb::dict dict;
  dict["posterior"] = to_dict(found.posterior);
  dict["map"] = to_dict(found.plug_in);
  dict["judgement"] = from_json(to_json(found.judgement));
  return dict;
}

// No rows of candidates: anywhere in the ranges.
nb::dict next_runs(const Emulator& emulator, Index count, const std::string& criterion, const InputMatrix& candidates,
                   Index draws, std::uint64_t seed, int threads) {
  const NextRunsOptions options{.count = count, .criterion = parse_criterion(criterion), .draws = draws, .seed = seed};
  std::optional<Matrix> rows;
  if (candidates.shape(0) > 0) rows = view(candidates);
  NextRuns next;
  run_stoppably(threads, [&](const Context& context) { next = emulator.next_runs(options, rows, context); });
  nb::dict dict;
  dict["points"] = to_numpy(std::move(next.points));
  dict["values"] = to_numpy(std::move(next.values));
  dict["mean"] = to_numpy(std::move(next.mean));
  dict["std"] = to_numpy(std::move(next.sd));
  dict["rows"] = next.rows;
  dict["average_variance"] = next.average_variance;
  dict["notices"] = next.notices;
  dict["meaning"] = info_of(options.criterion).meaning;
  return dict;
}

nb::dict sensitivity(const Emulator& emulator, const std::vector<std::pair<std::string, std::string>>& given,
                     Index paths, Index points, std::uint64_t seed, int threads) {
  std::vector<InputStatement> statements;
  for (const auto& [name, distribution] : given) statements.push_back({name, distribution});
  SensitivityOptions options;
  options.num_paths = paths;
  options.num_points = points;
  options.seed = seed;
  Sensitivity result;
  run_stoppably(threads, [&](const Context& context) { result = emulator.sensitivity(options, statements, context); });
  nb::list names, distributions, effects, grids;
  Vector p_active(static_cast<Index>(result.inputs.size()));
  SensitivitySample& sample = result.sample;
  for (std::size_t d = 0; d < result.inputs.size(); ++d) {
    names.append(result.inputs[d].name);
    distributions.append(result.inputs[d].distribution);
    p_active[static_cast<Index>(d)] = result.inputs[d].p_active;
    grids.append(to_numpy(std::move(sample.grids[d])));
    effects.append(to_numpy(std::move(sample.effects[d])));
  }
  nb::dict dict;
  dict["inputs"] = names;
  dict["distributions"] = distributions;
  dict["first"] = to_numpy(std::move(sample.first));
  dict["total"] = to_numpy(std::move(sample.total));
  dict["p_active"] = to_numpy(std::move(p_active));
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

// Of runs that no emulator has seen, a column of `outputs` for each; no rows: no validation.
std::string report_page(const Emulators& emulators, const InputMatrix& inputs, const InputMatrix& outputs,
                        int threads) {
  const Emulator emulator = Emulator::side_by_side(emulators);
  std::optional<Dataset> validation;
  if (inputs.shape(0) > 0) validation = emulator.take_runs(view(inputs), view(outputs));
  std::string page;
  run_stoppably(threads, [&](const Context& context) {
    page = emulator.report(validation ? &*validation : nullptr, context).html;
  });
  return page;
}

// ---- what was learnt ----

nb::object to_numpy_shape(const NamedArray& array) {
  const auto size = static_cast<Index>(array.values.size());
  return nb::cast(to_numpy(Vector(Eigen::Map<const Vector>(array.values.data(), size))))
      .attr("reshape")(nb::cast(array.shape));
}

nb::dict group_dict(const ArrayGroup& group) {
  nb::dict arrays, coords;
  for (const NamedArray& array : group.arrays) {
    arrays[array.name.c_str()] = nb::make_tuple(array.dims, to_numpy_shape(array));
  }
  for (const Labels& labels : group.labels) {
    if (!labels.words.empty()) {
      coords[labels.dim.c_str()] = labels.words;
      continue;
    }
    std::vector<Index> numbers(static_cast<std::size_t>(labels.size));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<Index>(i);
    coords[labels.dim.c_str()] = numbers;
  }
  nb::dict dict;
  dict["arrays"] = arrays;
  dict["coords"] = coords;
  return dict;
}

nb::dict groups_of(const Emulator& emulator) {
  nb::dict groups;
  for (const ArrayGroup& group : emulator.inference_data().groups) groups[group.name.c_str()] = group_dict(group);
  return groups;
}

nb::tuple draws_of(const Emulator& emulator) {
  Posterior posterior = emulator.posterior();
  return nb::make_tuple(posterior.column_names, to_numpy(std::move(posterior.draws)));
}

const Context kOneThread{.threads = 1};

}  // namespace

void bind_emulator(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Emulator>(module, "Emulator", "The emulator of one output: what the model file holds.")
      .def("text", &Emulator::to_json, "The model file's content.")
      .def("__getstate__", &Emulator::to_json)
      .def("__setstate__",
           [](Emulator& emulator, const std::string& text) {
             new (&emulator) Emulator(Emulator::parse(text, "a pickled emulator"));
           })
      .def("predict", &means, "points"_a.noconvert(), "quantiles"_a, "latent"_a, "map"_a, "threads"_a,
           "Means, standard deviations, quantiles, and how far points lie outside the ranges.")
      .def("covariance", &covariance, "points"_a.noconvert(), "latent"_a, "map"_a, "threads"_a)
      .def("joint_draws", &joint_draws, "points"_a.noconvert(), "count"_a, "seed"_a, "latent"_a, "threads"_a)
      .def("validate", &validate, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "threads"_a)
      .def("next_runs", &next_runs, "count"_a, "criterion"_a, "candidates"_a.noconvert(), "draws"_a, "seed"_a,
           "threads"_a, "Points, what they are worth, and what is predicted there.")
      .def("sensitivity", &sensitivity)
      .def("model", &Emulator::member, "name"_a, "One model of an average.")
      .def("draws", &draws_of, "Column names, and a row per draw.")
      .def("inference_data", &groups_of, "Groups of arrays with their dimensions, as ArviZ has them.")
      .def_prop_ro(
          "model_name", [](const Emulator& emulator) { return emulator.posterior().member; },
          "Of an average, the model with the largest weight.")
      .def_prop_ro(
          "summary", [](const Emulator& emulator) { return from_json(emulator.summary_json(kOneThread)); },
          "What `ta2s2 show --json` prints of it (docs/file_formats.md).")
      .def_prop_ro("settings",
                   [](const nb::object& emulator) {
                     const nb::dict summary(emulator.attr("summary"));  // an accessor does not keep what it is of
                     return nb::object(summary["settings"]);
                   })
      .def_prop_ro("judgement",
                   [](const Emulator& emulator) { return from_json(to_json(emulator.judgements(kOneThread).front())); })
      .def_prop_ro("notices", [](const Emulator& emulator) { return emulator.all_notices(); })
      .def_prop_ro("has_sample", [](const Emulator& emulator) { return emulator.posterior().has_sample; })
      .def_prop_ro("seconds", [](const Emulator& emulator) { return emulator.posterior().seconds; })
      .def_prop_ro("sample_size", [](const Emulator& emulator) { return emulator.posterior().effective_sample_size; })
      .def_prop_ro("input_names", &Emulator::input_names)
      .def_prop_ro("input_scales", &scale_words)
      .def_prop_ro("output_name", [](const Emulator& emulator) { return emulator.output_names().front(); })
      .def_prop_ro(
          "inputs", [](const Emulator& emulator) { return to_numpy(Matrix(emulator.runs().inputs())); },
          nb::rv_policy::move)
      .def_prop_ro(
          "output", [](const Emulator& emulator) { return to_numpy(Vector(emulator.runs().output())); },
          nb::rv_policy::move);
  module.def("fit", &fit, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "input_names"_a, "output_names"_a,
             "settings"_a, "ranges"_a, "on_level"_a.none(), "An emulator for each output.");
  module.def(
      "save", [](const Emulators& emulators, const std::string& path) { Emulator::side_by_side(emulators).save(path); },
      "emulators"_a, "path"_a, "Writes the model file of all outputs.");
  module.def("load", &load, "path"_a, "output"_a, "An emulator for each output of a model file, or for the one named.");
  module.def("add_runs", &add_runs, "emulators"_a, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "seed"_a.none(),
             "threads"_a, "on_level"_a.none());
  module.def("predict_csv", &predict_csv, "emulators"_a, "points"_a, "path"_a, "quantiles"_a, "latent"_a, "map"_a,
             "threads"_a);
  module.def("outside_warning", &outside_warning, "num_outside"_a, "num_points"_a, "farthest"_a);
  module.def("report_page", &report_page, "emulators"_a, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "threads"_a);
  module.def("save_text", &save_text, "text"_a, "path"_a);
}

}  // namespace ta2s2::python
