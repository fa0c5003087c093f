#include "sensitivity/study.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include "ta2s2/design.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/gp/conditional_predictor.hpp"
#include "ta2s2/gp/prior.hpp"
#include "ta2s2/predictive/path_analysis.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2::sensitivity {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<std::string> input_names(Index count) {
  std::vector<std::string> names;
  for (Index d = 1; d <= count; ++d) names.push_back("x" + std::to_string(d));
  return names;
}

// Variances of the terms of an expansion: of each input alone and of each pair.
struct Terms {
  Vector alone;
  Matrix pairs;  // symmetric

  double variance() const { return alone.sum() + 0.5 * pairs.sum(); }
  Vector first() const { return alone / variance(); }
  Vector total() const { return (alone + pairs.rowwise().sum()) / variance(); }
};

struct Truth {
  std::function<double(const Vector&)> run;  // on the unit cube
  Index inputs;
  Vector first, total;
};

// Functions of a uniform number with mean 0 and variance 1.
double standard_shape(Index kind, double x) {
  if (kind == 0) return std::numbers::sqrt2 * std::sin(2.0 * kPi * x);
  if (kind == 1) return std::sqrt(12.0) * (x - 0.5);
  return std::sqrt(180.0) * (x * x - x + 1.0 / 6.0);
}

Truth draw_waves(Stream& stream) {
  const Index p = 3 + draw_index(stream, 3);
  std::vector<Index> kinds;
  for (Index d = 0; d < p; ++d) kinds.push_back(draw_index(stream, 3));
  Vector alone(p);
  Matrix pairs = Matrix::Zero(p, p);
  for (Index d = 0; d < p; ++d) {
    alone[d] = draw_normal(stream) * std::pow(0.5, static_cast<double>(d));
    for (Index e = 0; e < d; ++e) pairs(d, e) = pairs(e, d) = 0.3 * draw_normal(stream) * (draw_index(stream, 2) == 0);
  }
  const auto run = [=](const Vector& x) {
    Vector shapes(p);
    for (Index d = 0; d < p; ++d) shapes[d] = standard_shape(kinds[static_cast<std::size_t>(d)], x[d]);
    return alone.dot(shapes) + 0.5 * shapes.dot(pairs * shapes);
  };
  const Terms terms{alone.cwiseAbs2(), pairs.cwiseAbs2()};
  return {run, p, terms.first(), terms.total()};
}

// sin x1 + a sin^2 x2 + b x3^4 sin x1 on [-pi, pi]^3 (Ishigami and Homma 1990).
Truth draw_ishigami(Stream& stream) {
  const double a = 2.0 + 6.0 * draw_uniform(stream), b = 0.2 * draw_uniform(stream);
  const auto run = [=](const Vector& u) {
    const Vector x = kPi * (2.0 * u.array() - 1.0);
    return std::sin(x[0]) + a * std::pow(std::sin(x[1]), 2) + b * std::pow(x[2], 4) * std::sin(x[0]);
  };
  const double fourth = std::pow(kPi, 4);
  Terms terms{Vector{{0.5 * std::pow(1.0 + b * fourth / 5.0, 2), a * a / 8.0, 0.0}}, Matrix::Zero(3, 3)};
  terms.pairs(0, 2) = terms.pairs(2, 0) = b * b * fourth * fourth * (1.0 / 18.0 - 1.0 / 50.0);
  return {run, 3, terms.first(), terms.total()};
}

// prod (|4 x - 2| + a) / (1 + a), each factor with mean 1 and variance 1 / (3 (1 + a)^2).
Truth draw_g_function(Stream& stream) {
  const Index p = 4;
  Vector a(p), variances(p);
  for (Index d = 0; d < p; ++d) {
    a[d] = 5.0 * draw_uniform(stream);
    variances[d] = 1.0 / (3.0 * std::pow(1.0 + a[d], 2));
  }
  const auto run = [=](const Vector& x) {
    return (((4.0 * x.array() - 2.0).abs() + a.array()) / (1.0 + a.array())).prod();
  };
  const double product = (1.0 + variances.array()).prod(), variance = product - 1.0;
  const Vector total = variances.array() / (1.0 + variances.array()) * product / variance;
  return {run, p, variances / variance, total};
}

StudyCase study_of(const Truth& truth, Index num_runs, Stream& stream) {
  const Matrix design = make_design({truth.inputs, num_runs, DesignKind::maximin, stream.bits()});
  Vector y(num_runs);
  for (Index i = 0; i < num_runs; ++i) y[i] = truth.run(design.row(i).transpose());
  const std::vector<std::string> names = input_names(truth.inputs);
  std::vector<InputRange> ranges;
  for (const std::string& name : names) ranges.push_back({name, 0.0, 1.0});
  return {OutputRuns(design, y, names, "y"), ranges, truth.first, truth.total, {}};
}

// As simulation-based calibration draws them: hyper-parameters from the prior, a function with these as a sum of many
// waves, runs with the nugget's noise.
constexpr Index kWavesOfTruth = 2000;
constexpr Index kPointsOfTruth = 1024;

SampleFunction draw_prior_path(const GpModel& model, const GpParameters& parameters, Stream& stream) {
  SampleFunction path{
      &model,         parameters, Matrix(kWavesOfTruth, model.num_inputs()), {}, {}, Vector::Zero(model.num_runs()),
      Vector::Zero(0)};
  model.covariance().draw_frequencies(parameters, stream, path.frequencies);
  const double amplitude = 1.0 / std::sqrt(static_cast<double>(kWavesOfTruth));
  path.real_amplitudes = amplitude * draw_normals(stream, kWavesOfTruth);
  path.imag_amplitudes = amplitude * draw_normals(stream, kWavesOfTruth);
  return path;
}

AnalysisPlan uniform_plan(Index inputs) {
  const Quadrature rule = make_uniform_input(0.0, 1.0)->quadrature();
  const auto count = static_cast<std::size_t>(inputs);
  return {std::vector<Quadrature>(count, rule), std::vector<Vector>(count, Vector::Zero(1))};
}

StudyCase draw_process_case(Stream& stream, Index index, Index runs_times) {
  const Index p = 2 + index % 2, n = runs_times * (15 + draw_index(stream, 16));
  const Matrix design = make_design({p, n, DesignKind::maximin, stream.bits()});
  const std::vector<std::string> names = input_names(p);
  FitOptions options;
  options.prior = "log-normal(-2,1.5)";
  options.correlation = "matern52";
  const OutputRuns only_inputs(design, Vector::Zero(n), names, "y");
  const auto prior = make_length_scale_prior(options.prior, {n, 1, names, options.box});
  const NuggetPrior nugget = make_nugget_prior(options.nugget, options.nugget_box);
  Vector z(p + 1);
  z.head(p) = prior->draw(stream);
  z.tail(1) = nugget.prior->draw(stream);
  const GpParameters parameters = make_space(only_inputs, options, {}).natural(z);

  const GpModel model(design, Vector::Zero(n), Trend("none", names),
                      make_covariance(for_single_model(options).correlation));
  const SampleFunction path = draw_prior_path(model, parameters, stream);
  const PathVariances truth = analyse_path(path, uniform_plan(p), {make_design({p, kPointsOfTruth, DesignKind::sobol})},
                                           best_instruction_set());
  const Vector y = path_values(path, design) + std::sqrt(parameters.nugget) * draw_normals(stream, n);
  std::vector<InputRange> ranges;
  for (const std::string& name : names) ranges.push_back({name, 0.0, 1.0});
  return {OutputRuns(design, y, names, "y"), ranges, truth.main.front() / truth.variance(0),
          truth.total.col(0) / truth.variance(0), options};
}

// The mutant's path: the predicted mean, which no wave disturbs.
SampleFunction mean_path(const GpModel& model, const GpParameters& parameters) {
  const ConditionalPredictor predictor(model, parameters);
  return {&model,
          parameters,
          Matrix(0, model.num_inputs()),
          Vector(0),
          Vector(0),
          predictor.data_weights(),
          predictor.beta_hat()};
}

SensitivitySample sample_of_means(const Predictive& predictive, Index count) {
  const Index p = predictive.num_inputs();
  const AnalysisPlan plan = uniform_plan(p);
  const std::vector<Matrix> points = {make_design({p, 128, DesignKind::sobol})};
  SensitivitySample sample{Matrix(count, p), Matrix(count, p), {}, {}, {}, {}, {}, {}};
  Stream stream({.seed = 1, .purpose = Purpose::predictive_draw});
  for (Index i = 0; i < count; ++i) {
    const auto size = static_cast<std::size_t>(predictive.num_draws());
    const Index draw = draw_categorical(stream, {predictive.weights().data(), size});
    const SampleFunction path = mean_path(predictive.model_of(draw), predictive.parameters_of(draw));
    const PathVariances variances = analyse_path(path, plan, points, predictive.path());
    sample.first.row(i) = (variances.main.front() / variances.variance(0)).transpose();
    sample.total.row(i) = (variances.total.col(0) / variances.variance(0)).transpose();
  }
  return sample;
}

Bounds central_95(Vector values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double level) { return values[static_cast<Index>(level * static_cast<double>(values.size()))]; };
  return {at(0.025), at(0.975)};
}

// As it crosses the executor's seam: for each input, first-order and then total, both intervals.
Payload run_study(const StudyCase& study, Index num_paths) {
  ThreadExecutor one_thread(1);
  Observer silent;
  const EmulatorRecord model =
      fit_model({study.runs}, ValidFitOptions(study.options), study.ranges, {one_thread, silent});
  const Predictive predictive = make_predictive(model.outputs.front());
  SensitivityOptions options;
  options.num_paths = num_paths;
  const SensitivitySample whole = analyse_sensitivity(predictive, uniform_inputs(predictive), options, one_thread);
  const SensitivitySample of_means = sample_of_means(predictive, num_paths);
  Payload numbers;
  const auto add = [&](const Vector& values) {
    const Bounds bounds = central_95(values);
    numbers.insert(numbers.end(), {bounds.low, bounds.high});
  };
  for (Index d = 0; d < predictive.num_inputs(); ++d) {
    add(whole.first.col(d));
    add(of_means.first.col(d));
    add(whole.total.col(d));
    add(of_means.total.col(d));
  }
  return numbers;
}

void add_found(Index number, const StudyCase& study, const Payload& bounds, std::vector<IndexFound>& all) {
  const double* next = bounds.data();
  for (Index d = 0; d < study.first.size(); ++d) {
    for (const IndexKind kind : {IndexKind::first, IndexKind::total}) {
      const double truth = kind == IndexKind::first ? study.first[d] : study.total[d];
      all.push_back({number, d, kind, truth, {next[0], next[1]}, {next[2], next[3]}});
      next += 4;
    }
  }
}

}  // namespace

std::string to_word(Family family) {
  switch (family) {
    case Family::waves:
      return "waves";
    case Family::ishigami:
      return "ishigami";
    case Family::g_function:
      return "g-function";
    case Family::process:
      return "process";
  }
  return "";
}

StudyCase make_case(Family family, Index index, Index runs_times) {
  Stream stream({.seed = 11,
                 .purpose = Purpose::predictive_draw,
                 .level = static_cast<std::uint64_t>(family),
                 .chain = static_cast<std::uint64_t>(index)});
  switch (family) {
    case Family::waves: {
      const Truth truth = draw_waves(stream);
      const Index runs = truth.inputs * (6 + draw_index(stream, 5));
      return study_of(truth, runs_times * runs, stream);
    }
    case Family::ishigami: {
      const Index runs = 30 + draw_index(stream, 41);
      return study_of(draw_ishigami(stream), runs_times * runs, stream);
    }
    case Family::g_function: {
      const Index runs = 40 + draw_index(stream, 41);
      return study_of(draw_g_function(stream), runs_times * runs, stream);
    }
    case Family::process:
      break;
  }
  return draw_process_case(stream, index, runs_times);
}

std::vector<Setting> settings_for_sensitivity() {
  return {{"model", "average"}, {"correlation", "auto"}, {"average-over", kStructures}, {"weighting", "equal"}};
}

std::vector<IndexFound> run_studies(Family family, const StudySize& size, const std::vector<Setting>& settings,
                                    Executor& executor) {
  const auto task = [&](Index index, int) {
    StudyCase study = make_case(family, index, size.runs_times);
    apply_settings(study.options, settings);
    study.options.samples = size.samples;
    study.options.annealing.seed = static_cast<std::uint64_t>(1000 + index);
    return run_study(study, size.paths);
  };
  const std::vector<double> costs(static_cast<std::size_t>(size.studies), 1.0);
  std::vector<IndexFound> found;
  Index number = 0;
  for (const Payload& bounds : executor.map(costs, task)) {
    add_found(number, make_case(family, number, size.runs_times), bounds, found);
    ++number;
  }
  return found;
}

Coverage coverage_of(const std::vector<IndexFound>& found, IndexKind kind) {
  Coverage coverage;
  for (const IndexFound& index : found) {
    if (index.kind != kind || index.truth <= 0.0) continue;
    ++coverage.indices;
    coverage.whole += index.whole.hold(index.truth) ? 1.0 : 0.0;
    coverage.of_means += index.of_means.hold(index.truth) ? 1.0 : 0.0;
    coverage.mean_width += index.whole.width();
  }
  for (double* sum : {&coverage.whole, &coverage.of_means, &coverage.mean_width}) {
    *sum /= static_cast<double>(coverage.indices);
  }
  return coverage;
}

}  // namespace ta2s2::sensitivity
