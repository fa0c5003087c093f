#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "fit_object.hpp"
#include "level_queue.hpp"
#include "stoppable_run.hpp"
#include "ta2s2/data/load_runs.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/io/atomic_file.hpp"
#include "ta2s2/io/checkpointed_fit.hpp"
#include "ta2s2/io/model_file.hpp"
#include "ta2s2/io/summary_json.hpp"
#include "ta2s2/report/report.hpp"
#include "ta2s2/workflow/fit_model.hpp"
#include "ta2s2/workflow/inference_data.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::python {
namespace {

using Clock = std::chrono::steady_clock;
using Range = DeclaredRange;

Predict what(bool latent) {
  return latent ? Predict::latent : Predict::new_run;
}

// ---- making one ----

EmulatorRecord fit_or_go_on(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                            const std::vector<InputRange>& ranges, Execution context) {
  if (options->checkpoint.empty()) return fit_model(outputs, options, ranges, context);
  CheckpointFile file(options->checkpoint);
  return fit_with_checkpoints(outputs, options, ranges, context, file, {});
}

// A fit for each column of `outputs`.
nb::list fit_runs(const InputMatrix& inputs, const InputMatrix& outputs, const std::vector<std::string>& input_names,
                  const std::vector<std::string>& output_names, const nb::list& settings,
                  const std::vector<Range>& ranges, const nb::object& on_level) {
  const ValidFitOptions options(options_from(settings));
  std::vector<OutputRuns> runs;
  for (std::size_t k = 0; k < output_names.size(); ++k) {
    runs.push_back(take_runs(view(inputs), view(outputs).col(static_cast<Index>(k)), input_names, output_names[k]));
  }
  LevelQueue levels(on_level);
  EmulatorRecord model;
  const auto begin = Clock::now();
  run_stoppably(
      [&](const StopFlag& stop) {
        ThreadExecutor executor(options->threads, &stop);
        model = fit_or_go_on(runs, options, ranges_of(options.get(), ranges), {executor, levels});
      },
      [&] {
        levels.hand_over();
        return std::chrono::duration<double>(Clock::now() - begin).count() < options->time_limit ? Tick::go_on
                                                                                                 : Tick::stop;
      });
  nb::list fits = fits_of(std::move(model));
  // Not before the record is the caller's: a signal until here leaves the checkpoint to go on from.
  if (!options->checkpoint.empty()) CheckpointFile(options->checkpoint).remove();
  return fits;
}

std::string text_of(const Fit& fit) {
  std::ostringstream out;
  write_model(out, EmulatorRecord{{fit.output()}});
  return std::move(out).str();
}

void save(const nb::list& fits, const std::string& path) {
  AtomicFile file(path);
  write_model(file.stream(), model_of(fits));
  file.commit();
}

// All outputs, or the one that is named.
nb::list load(const std::string& path, const std::string& output) {
  EmulatorRecord model = read_models(path);
  if (output.empty()) return fits_of(std::move(model));
  return fits_of({{find_output(model, output)}});
}

// ---- predictions ----

// Blocks that keep the mixtures within a fixed memory, whatever the number of points.
PredictionSummary predict_in_blocks(const Predictive& predictive, const StridedMatrix& points, Predict what,
                                    const std::vector<double>& levels, Executor& executor) {
  PredictionSummary all{Vector(points.rows()), Vector(points.rows()),
                        Matrix(points.rows(), static_cast<Index>(levels.size()))};
  for (Index first = 0; first < points.rows(); first += predictive.block_size()) {
    const Index count = std::min(predictive.block_size(), points.rows() - first);
    const PredictionSummary block = summarise(predictive, points.middleRows(first, count), what, levels, executor);
    all.mean.segment(first, count) = block.mean;
    all.sd.segment(first, count) = block.sd;
    all.quantiles.middleRows(first, count) = block.quantiles;
  }
  return all;
}

nb::tuple predict(const Fit& fit, const InputMatrix& points, const std::vector<double>& quantiles, bool latent,
                  bool map, int threads) {
  PredictionSummary summary;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    summary = predict_in_blocks(fit.predictive(map), view(points), what(latent), quantiles, executor);
  });
  return nb::make_tuple(to_numpy(std::move(summary.mean)), to_numpy(std::move(summary.sd)),
                        to_numpy(std::move(summary.quantiles)));
}

OutputMatrix covariance(const Fit& fit, const InputMatrix& points, bool latent, bool map, int threads) {
  Matrix result;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    result = fit.predictive(map).covariance(view(points), what(latent), executor);
  });
  return to_numpy(std::move(result));
}

OutputMatrix joint_draws(const Fit& fit, const InputMatrix& points, Index count, std::uint64_t seed, bool latent,
                         int threads) {
  Matrix result;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    result = fit.predictive(false).joint_draws(view(points), what(latent), count, seed, executor);
  });
  return to_numpy(std::move(result));
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

// Runs that the fit has not seen.
OutputRuns test_runs(const Fit& fit, const InputMatrix& inputs, const InputVector& output) {
  const OutputRuns& data = fit.record().data;
  return OutputRuns(view(inputs), view(output), data.input_names(), data.output_name());
}

nb::dict validate_runs(const Fit& fit, const InputMatrix& inputs, const InputVector& output, bool map, int threads) {
  const OutputRuns runs = test_runs(fit, inputs, output);
  Scores scores;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    scores = validate(fit.predictive(map), runs, executor);
  });
  return to_dict(scores);
}

// No rows of candidates: anywhere in the ranges.
nb::dict next_runs_of(const Fit& fit, Index count, const std::string& criterion, const InputMatrix& candidates,
                      Index draws, std::uint64_t seed, int threads) {
  const NextRunsOptions options{.count = count, .criterion = parse_criterion(criterion), .draws = draws, .seed = seed};
  const Matrix rows = view(candidates);
  return next_runs(fit.predictive(false), options, rows.rows() > 0 ? std::optional<Matrix>(rows) : std::nullopt,
                   threads);
}

// ---- the report ----

// Of runs that no fit has seen, a column of `outputs` for each; no rows: no validation.
std::string report_page(const nb::list& fits, const InputMatrix& inputs, const InputMatrix& outputs, int threads) {
  const EmulatorRecord model = model_of(fits);
  const Matrix points = view(inputs), truths = view(outputs);
  std::string page;
  run_stoppably([&](const StopFlag& stop) {
    ThreadExecutor executor(threads, &stop);
    std::vector<OutputRuns> validation;
    for (std::size_t k = 0; k < model.outputs.size() && points.rows() > 0; ++k) {
      const OutputRuns& known = model.outputs[k].members.front().data;
      validation.emplace_back(points, truths.col(static_cast<Index>(k)), known.input_names(), known.output_name());
    }
    page = render_page(make_report_record(model, validation, executor));
  });
  return page;
}

void save_text(const std::string& text, const std::string& path) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

// ---- what was learnt ----

nb::tuple draws_of(const Fit& fit) {
  return nb::make_tuple(draw_column_names(fit.record()), to_numpy(draw_rows(fit.record())));
}

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

nb::dict groups_of(const Fit& fit) {
  const InferenceData data = inference_data(fit.record());
  nb::dict groups;
  for (const ArrayGroup& group : data.groups) groups[group.name.c_str()] = group_dict(group);
  return groups;
}

Judgement judgement_of(const Fit& fit) {
  ThreadExecutor executor(1);
  return judge(fit.output(), left_out_facts(fit.output(), executor));
}

// Of all models, each sentence once.
std::vector<std::string> notices_of(const Fit& fit) {
  std::vector<std::string> notices;
  for (const MemberRecord& record : fit.output().members) {
    for (const std::string& notice : record.notices) {
      if (std::find(notices.begin(), notices.end(), notice) == notices.end()) notices.push_back(notice);
    }
  }
  return notices;
}

}  // namespace

nb::list fits_of(EmulatorRecord model) {
  nb::list fits;
  for (OutputRecord& output : model.outputs) fits.append(nb::cast(Fit(std::move(output))));
  return fits;
}

EmulatorRecord model_of(const nb::list& fits) {
  EmulatorRecord model;
  for (const nb::handle fit : fits) model.outputs.push_back(nb::cast<const Fit&>(fit).output());
  return model;
}

void bind_fit(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Fit>(module, "Fit", "A fit's record: what the model file holds.")
      .def("text", &text_of, "The model file's content.")
      .def("__getstate__", &text_of)
      .def("__setstate__",
           [](Fit& fit, const std::string& text) {
             new (&fit) Fit(find_output(parse_models(text, "a pickled fit"), ""));
           })
      .def("predict", &predict, "points"_a.noconvert(), "quantiles"_a, "latent"_a, "map"_a, "threads"_a,
           "Means, standard deviations and quantiles.")
      .def("covariance", &covariance, "points"_a.noconvert(), "latent"_a, "map"_a, "threads"_a)
      .def("joint_draws", &joint_draws, "points"_a.noconvert(), "count"_a, "seed"_a, "latent"_a, "threads"_a)
      .def("validate", &validate_runs, "inputs"_a.noconvert(), "output"_a.noconvert(), "map"_a, "threads"_a)
      .def("next_runs", &next_runs_of, "count"_a, "criterion"_a, "candidates"_a.noconvert(), "draws"_a, "seed"_a,
           "threads"_a, "Points, what they are worth, and what is predicted there.")
      .def(
          "model",
          [](const Fit& fit, const std::string& name) { return Fit(single_member(find_member(fit.output(), name))); },
          "name"_a, "One model of an average.")
      .def("draws", &draws_of, "Column names, and a row per draw.")
      .def_prop_ro(
          "model_name", [](const Fit& fit) { return member_label(fit.record().options); },
          "Of an average, the model with the largest weight.")
      .def("inference_data", &groups_of, "Groups of arrays with their dimensions, as ArviZ has them.")
      .def_prop_ro(
          "summary", [](const Fit& fit) { return from_json(summary_json(fit.output(), judgement_of(fit))); },
          "What `ta2s2 show --json` prints of it (docs/file_formats.md).")
      .def_prop_ro("settings",
                   [](const nb::object& fit) {
                     const nb::dict summary(fit.attr("summary"));  // an accessor does not keep what it is of
                     return nb::object(summary["settings"]);
                   })
      .def_prop_ro("judgement", [](const Fit& fit) { return from_json(summary_json(judgement_of(fit))); })
      .def_prop_ro("notices", &notices_of)
      .def_prop_ro("has_sample", [](const Fit& fit) { return fit.record().has_sample(); })
      .def_prop_ro("seconds", [](const Fit& fit) { return fit.record().times.total_seconds; })
      .def_prop_ro("sample_size", [](const Fit& fit) { return sample_size(fit.record()).of_chains; })
      .def_prop_ro("input_names", [](const Fit& fit) { return fit.record().data.input_names(); })
      .def_prop_ro("output_name", [](const Fit& fit) { return fit.record().data.output_name(); })
      .def_prop_ro(
          "inputs", [](const Fit& fit) { return to_numpy(fit.record().data.inputs()); }, nb::rv_policy::move)
      .def_prop_ro(
          "output", [](const Fit& fit) { return to_numpy(fit.record().data.output()); }, nb::rv_policy::move);
  module.def("fit", &fit_runs, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "input_names"_a, "output_names"_a,
             "settings"_a, "ranges"_a, "on_level"_a.none(), "A fit for each output.");
  module.def("save", &save, "fits"_a, "path"_a, "Writes the model file of all outputs.");
  module.def("load", &load, "path"_a, "output"_a, "A fit for each output of a model file, or for the one named.");
  module.def("report_page", &report_page, "fits"_a, "inputs"_a.noconvert(), "outputs"_a.noconvert(), "threads"_a,
             "The report's page, with a tab for each of several outputs.");
  module.def("save_text", &save_text, "text"_a, "path"_a, "Writes a file, or leaves what was there as it was.");
}

}  // namespace ta2s2::python
