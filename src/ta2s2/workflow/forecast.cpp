#include "ta2s2/workflow/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <span>

#include "ta2s2/base/text.hpp"
#include "ta2s2/rng/stream.hpp"
#include "ta2s2/simd/instruction_set.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/growth.hpp"
#include "ta2s2/smc/passes.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {

// ---- how much work it is ----

namespace {

// Made by `bench/plan/run`, which prints these lines and how the laws do on functions that they were not fitted to.
// Least squares, of logarithms for counts and of relative errors for seconds; seconds are of the machine that
// docs/clusters.md names.
namespace law {
// log levels = constant + by_dim log d + by_runs log n + by_ess log(log gamma / log 0.5).
constexpr struct { double constant, by_dim, by_runs, by_ess; } kLevels = {-0.01305, 0.4791, 0.2838, -0.5685};
// log evaluations per state = constant + by_dim log d + by_samples log N.
constexpr struct { double constant, by_dim, by_samples; } kEvaluations = {0.03832, 0.2688, -0.02248};
// log evaluations of the search for modes = constant + by_dim log d.
constexpr struct { double constant, by_dim; } kModes = {5.467, 0.9391};
// Of the logarithms, on functions left out of the fit in turn. Seconds are those without the search for modes.
constexpr struct { double levels, evaluations, modes, seconds; } kScatter = {0.151, 0.126, 0.653, 0.156};
// One evaluation of a chain: in_block_seconds, times this where chains share blocks that are not always full, plus the
// move's own seconds, constant + by_dim d.
constexpr double kLaneWaste = 1.132;
constexpr struct { double constant, by_dim; } kMoveSeconds = {0.593e-6, 0.0455e-6};
// One thread's work between levels and after them, per state and level: constant + by_dim d + by_squared_dim d^2.
constexpr struct { double constant, by_dim, by_squared_dim; } kSerialSeconds = {1.19e-6, 0.0378e-6, 0.00588e-6};
// Of fits by passes, made by `bench/plan/run passes`: log count = constant + by_dim log d, and more where the output is
// transformed or the model is one of an average. How often chains must grow, and how many modes are searched, hangs on
// the posterior more than on its size: hence the scatter.
struct PassLaw {
  double constant, by_dim, by_transform, by_part, scatter;
};
constexpr PassLaw kPassLevels = {1.653, 0.607, 0.088, -0.020, 0.189};
constexpr PassLaw kPassEvaluations = {6.722, 0.885, 0.260, -0.076, 0.565};
constexpr PassLaw kPassGradients = {7.253, 1.425, 0.743, -0.080, 0.775};
}  // namespace law

constexpr double kNineInTen = 1.645;  // standard deviations of a normal to either side

Range spread(double expected, double scatter) {
  const double factor = std::exp(kNineInTen * scatter);
  return {expected / factor, expected, expected * factor};
}

double real(Index count) {
  return static_cast<double>(count);
}

double rounds_up(Index items, Index each) {
  return real((items + each - 1) / each);
}

double expected(const law::PassLaw& law, const FitShape& shape) {
  return std::exp(law.constant + law.by_dim * std::log(real(shape.dim)) +
                  (shape.is_transformed ? law.by_transform : 0.0) + (shape.is_part ? law.by_part : 0.0));
}

double expected_levels(const FitShape& shape) {
  if (shape.by_passes) return expected(law::kPassLevels, shape);
  return std::exp(law::kLevels.constant + law::kLevels.by_dim * std::log(real(shape.dim)) +
                  law::kLevels.by_runs * std::log(real(shape.num_runs)) +
                  law::kLevels.by_ess * std::log(std::log(shape.ess_target) / std::log(0.5)));
}

// A state is one move, and a move asks at least once.
double evaluations_per_state(const FitShape& shape) {
  return std::max(1.0, std::exp(law::kEvaluations.constant + law::kEvaluations.by_dim * std::log(real(shape.dim)) +
                                law::kEvaluations.by_samples * std::log(real(shape.num_samples))));
}

double evaluations_per_level(const FitShape& shape) {
  return real(shape.num_chains() * shape.chain_length()) * evaluations_per_state(shape);
}

double move_seconds(const FitShape& shape, const EvaluationTime& evaluation) {
  return (shape.lanes > 1 ? law::kLaneWaste : 1.0) * evaluation.in_block_seconds + law::kMoveSeconds.constant +
         law::kMoveSeconds.by_dim * real(shape.dim);
}

// Tasks cost about the same, so that a map lasts as many of them as the busiest core does: this share of its work.
double busiest_share(Index num_tasks, Index cores) {
  return rounds_up(num_tasks, cores) / real(num_tasks);
}

double level_work(const FitShape& shape, const EvaluationTime& evaluation) {
  return evaluations_per_level(shape) * move_seconds(shape, evaluation);
}

Index points_per_start_task(const FitShape& shape) {
  return std::min(points_per_task(shape.lanes), shape.num_samples);
}

Index num_start_tasks(const FitShape& shape) {
  return static_cast<Index>(rounds_up(shape.num_samples, points_per_start_task(shape)));
}

double start_work(const FitShape& shape, const EvaluationTime& evaluation) {
  return real(num_start_tasks(shape) * points_per_start_task(shape)) * evaluation.in_block_seconds;
}

double serial_seconds(const FitShape& shape) {
  const double d = real(shape.dim);
  return real(shape.num_samples) *
         (law::kSerialSeconds.constant + law::kSerialSeconds.by_dim * d + law::kSerialSeconds.by_squared_dim * d * d);
}

}  // namespace

Range operator+(const Range& a, const Range& b) {
  return {a.low + b.low, a.expected + b.expected, a.high + b.high};
}

Range operator*(double factor, const Range& range) {
  return {factor * range.low, factor * range.expected, factor * range.high};
}

Index FitShape::chain_length() const {
  if (by_passes) return kPassChainLength;
  return given_chain_length > 0 ? given_chain_length : default_chain_length(dim, num_samples);
}

Index FitShape::num_chains() const {
  if (by_passes) return kPassChains;
  const Index per_group = (num_samples + num_groups - 1) / num_groups;
  return num_groups * ((per_group + chain_length() - 1) / chain_length());
}

Index FitShape::num_tasks() const {
  return num_chain_tasks(num_chains(), lanes);
}

// Tasks grow in steps: hence a search, not an inverse.
Index samples_for_shapes(std::vector<FitShape> shapes, Index cores) {
  const Index step = shapes.front().num_groups;
  // Passes grow no more chains for more draws.
  if (std::any_of(shapes.begin(), shapes.end(), [](const FitShape& shape) { return shape.by_passes; })) return 0;
  for (Index samples = step;; samples += step) {
    Index num_tasks = 0;
    for (FitShape& shape : shapes) {
      shape.num_samples = samples;
      num_tasks += shape.num_tasks();
    }
    if (num_tasks >= cores) return samples;
  }
}

FitForecast forecast_fit(const FitShape& shape) {
  const double levels = expected_levels(shape);
  FitForecast forecast;
  if (shape.by_passes) {
    forecast.levels = spread(levels, law::kPassLevels.scatter);
    forecast.evaluations = spread(expected(law::kPassEvaluations, shape), law::kPassEvaluations.scatter);
    forecast.gradients = spread(expected(law::kPassGradients, shape), law::kPassGradients.scatter);
    forecast.mode_evaluations =
        spread(std::exp(law::kModes.constant + law::kModes.by_dim * std::log(real(shape.dim))), law::kScatter.modes);
    return forecast;
  }
  forecast.levels = spread(levels, law::kScatter.levels);
  const double start = real(shape.num_samples);
  forecast.evaluations =
      Range{start, start, start} + spread(levels * evaluations_per_level(shape), law::kScatter.evaluations);
  forecast.mode_evaluations =
      spread(std::exp(law::kModes.constant + law::kModes.by_dim * std::log(real(shape.dim))), law::kScatter.modes);
  return forecast;
}

namespace {

// Moves of one thread: evaluations and gradients in blocks.
Range pass_work(const FitShape& shape, const EvaluationTime& evaluation) {
  const FitForecast forecast = forecast_fit(shape);
  EvaluationTime with_gradient = evaluation;
  with_gradient.in_block_seconds = evaluation.gradient_seconds;
  return move_seconds(shape, evaluation) * forecast.evaluations +
         move_seconds(shape, with_gradient) * forecast.gradients;
}

}  // namespace

// What is done between maps is done by one fit after another; each has its own search for modes.
Range forecast_seconds(const std::vector<TimedFit>& fits, Index cores) {
  Index tasks = 0, start_tasks = 0;
  for (const TimedFit& fit : fits) {
    tasks += fit.shape.num_tasks();
    start_tasks += num_start_tasks(fit.shape);
  }
  double seconds = 0.0;
  Range mode_seconds, pass_seconds;
  for (const auto& [shape, evaluation] : fits) {
    mode_seconds = mode_seconds + evaluation.alone_seconds * forecast_fit(shape).mode_evaluations;
    if (shape.by_passes) {
      pass_seconds = pass_seconds + busiest_share(tasks, cores) * pass_work(shape, evaluation);
      continue;
    }
    seconds +=
        expected_levels(shape) * (level_work(shape, evaluation) * busiest_share(tasks, cores) + serial_seconds(shape)) +
        start_work(shape, evaluation) * busiest_share(start_tasks, cores);
  }
  return spread(seconds, law::kScatter.seconds) + pass_seconds +
         busiest_share(static_cast<Index>(fits.size()), cores) * mode_seconds;
}

// ---- what one evaluation takes here ----

namespace {

// Of this thread alone: what others run here now says nothing of the cores that the fit will have.
double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// As draw_start_points of smc/chain_growth.hpp: the same streams, so the same points.
Matrix draw_points(const TargetDensity& target, Index count, std::uint64_t seed) {
  Matrix points(target.dim(), count);
  for (Index i = 0; i < count; ++i) {
    Stream stream({seed, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    points.col(i) = target.draw_start(stream);
  }
  return points;
}

}  // namespace

EvaluationTime time_evaluation(const TargetDensity& target, std::uint64_t seed, double seconds) {
  constexpr Index kBlocks = 16;
  const Index lanes = target.lanes();
  const Matrix points = draw_points(target, kBlocks * lanes, seed);
  const std::unique_ptr<Workspace> workspace = target.make_workspace();
  std::vector<Energy> answers(static_cast<std::size_t>(lanes));
  std::function<void(Index, Index)> call = [&](Index first, Index width) {
    target.energies(points.middleCols(first, width), *workspace,
                    std::span(answers).first(static_cast<std::size_t>(width)));
  };
  // Calls with `width` points each, over and over, until the time is up. The first call, which finds memory that was
  // never touched, is counted only if it takes all of the time.
  const auto seconds_per_point = [&](Index width) {
    double begin = processor_seconds();
    call(0, width);
    double spent = processor_seconds() - begin;
    if (spent >= seconds) return spent / real(width);
    Index count = 0;
    begin = processor_seconds();
    do {
      call(count % points.cols(), width);
      count += width;
      spent = processor_seconds() - begin;
    } while (spent < seconds);
    return spent / real(count);
  };
  const double in_block = seconds_per_point(lanes);
  EvaluationTime time{in_block, lanes == 1 ? in_block : seconds_per_point(1)};
  const auto* differentiable = dynamic_cast<const DifferentiableTarget*>(&target);
  if (differentiable != nullptr && differentiable->has_gradient()) {
    Matrix gradients(target.dim(), lanes);
    call = [&](Index first, Index width) {
      differentiable->energies_and_gradients(points.middleCols(first, width), *workspace,
                                             std::span(answers).first(static_cast<std::size_t>(width)),
                                             gradients.leftCols(width));
    };
    time.gradient_seconds = seconds_per_point(lanes);
  }
  return time;
}

// ---- how much memory it needs ----

namespace {

constexpr double kWord = sizeof(double);
constexpr double kProgramBytes = 8.5e6;

// Matrices of n by n that the reference prior's information works in, beside the factor: K, its derivative, L^-1 and
// the lower triangle of each direction; the squared exponential's own form has two and a half more.
double information_matrices(const GpTarget& target) {
  if (target.information() == InformationOver::nothing) return 0.0;
  const bool with_nugget = target.information() == InformationOver::length_scales_and_nugget;
  const bool is_structured = target.model()->covariance().form() == CorrelationForm::exponential &&
                             target.model()->covariance().pair_feature() == PairFeature::squared_distance;
  return 3.5 + 0.5 * real(target.space().num_inputs() + (with_nugget ? 1 : 0)) + (is_structured ? 2.5 : 0.0);
}

// The factor's lower triangle, in panels, or K and L in full, in the plain form; below 160 runs one per lane too.
double factor_matrices(const GpTarget& target, InstructionSet path) {
  if (path == InstructionSet::plain) return 2.0;
  return 0.5 + (target.lanes() > 1 ? 0.5 * target.lanes() : 0.0);
}

// Features of every pair of runs: what blocks of small matrices share, and correlations that need a table.
double feature_words(const GpTarget& target, InstructionSet path) {
  const GpModel& model = *target.model();
  if (path == InstructionSet::plain) return 0.0;
  const double pairs = real(model.num_runs()) * real(model.num_runs()) * real(model.num_inputs());
  return (target.lanes() > 1 ? 0.5 * pairs : 0.0) +
         (model.covariance().pair_feature() == PairFeature::table ? pairs : 0.0);
}

// Positions and energies of all levels, and what each weighs at each of them (smc/sampler_result.cpp).
double state_words(const GpTarget& target, const FitOptions& options, double num_levels) {
  constexpr double kCopies = 1.4;  // of a state: its level's, and the weighted sample's of those that count
  const double of_weights = takes_all_levels(options) ? num_levels + 1.0 : 0.0;
  return real(options.num_samples()) * (num_levels + 1.0) * (kCopies * real(target.dim() + 4) + of_weights);
}

// A level's matrices are given back and taken anew. What is larger than this glibc returns to the system; of what is
// smaller it may keep as much again.
double kept(double bytes) {
  constexpr double kLargestKept = 32.0 * 1024.0 * 1024.0;
  return bytes < kLargestKept ? 2.0 * bytes : bytes;
}

}  // namespace

MemoryUse operator+(const MemoryUse& a, const MemoryUse& b) {
  return {a.shared_bytes + b.shared_bytes - kProgramBytes, a.bytes_per_thread + b.bytes_per_thread};
}

MemoryUse memory_use(const GpTarget& target, const FitOptions& options, double num_levels) {
  const InstructionSet path = choose_instruction_set(options.simd);
  const double n = real(target.model()->num_runs());
  MemoryUse use;
  use.bytes_per_thread = kept(kWord * n * n * (factor_matrices(target, path) + information_matrices(target)));
  use.shared_bytes = kProgramBytes + kWord * (feature_words(target, path) + state_words(target, options, num_levels));
  return use;
}

// ---- all of it ----

namespace {

// The settings that the laws were fitted to; empty if these are such.
std::string reason_without_law(const FitOptions& options) {
  const auto of = [](const std::string& found) {
    return "levels and time are known of --sampler ta2s2, and of annealed with its own move and growth, found " + found;
  };
  if (runs_passes(options)) return "";
  if (options.fast) return of("--fast");
  if (options.annealing.anneal_to_zero) return of("--anneal-to 0");
  if (options.sampler != "annealed") return of("--sampler " + options.sampler);
  if (options.annealing.kernel.name != "exact") return of("--move " + options.annealing.kernel.name);
  if (options.annealing.growth != Growth::equal) return of("--growth tmcmc");
  if (options.annealing.coordinates != Coordinates::unbounded) return of("--coordinates box");
  return "";
}

// Evaluations of as many runs by the same correlation cost the same, whatever the output.
const PlannedModel* find_alike(const std::vector<PlannedModel>& models, const PlannedModel& model) {
  const auto found = std::find_if(models.begin(), models.end(), [&](const PlannedModel& other) {
    return other.correlation == model.correlation && other.num_runs == model.num_runs && other.dim == model.dim;
  });
  return found == models.end() ? nullptr : &*found;
}

PlannedModel describe(const GpTarget& target, const FitOptions& options, const std::string& name) {
  const AnnealOptions annealing = options.anneal_options();
  PlannedModel model;
  model.name = name;
  model.correlation = options.correlation;
  model.num_runs = model.shape.num_runs = target.model()->num_runs();
  model.num_inputs = target.model()->num_inputs();
  model.dim = model.shape.dim = target.dim();
  model.lanes = model.shape.lanes = target.lanes();
  model.shape.by_passes = runs_passes(options);
  model.shape.is_transformed = !target.model()->transform().is_none();
  model.shape.is_part = wants_fewer_draws(options);
  model.shape.num_samples = annealing.num_samples;
  model.shape.num_groups = std::min(annealing.num_groups, annealing.num_samples);
  model.shape.given_chain_length = annealing.chain_length;
  model.shape.ess_target = annealing.ess_target;
  return model;
}

bool needs_prior_constant(const GpTarget& target, const FitOptions& options) {
  return options.model == ModelUse::average && options.weighting == Weighting::evidence &&
         !target.log_prior_is_normalised();
}

ExpectedWork expect_work(const FitPlan& plan, int num_rounds, const std::vector<Index>& cores) {
  ExpectedWork work;
  work.num_rounds = num_rounds;
  std::vector<TimedFit> fits;
  for (const PlannedModel& model : plan.models) {
    fits.push_back({model.shape, model.evaluation});
    work.forecasts.push_back(forecast_fit(model.shape));
    work.num_tasks += model.shape.num_tasks();
  }
  for (const Index count : cores) {
    work.times.push_back({count, static_cast<double>(num_rounds) * forecast_seconds(fits, count)});
  }
  return work;
}

}  // namespace

FitPlan plan_fits(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                  const std::vector<InputRange>& ranges, const std::vector<Index>& cores, double timing_seconds) {
  FitPlan plan;
  int num_rounds = options->check ? 2 : 1;
  const std::vector<ValidFitOptions> models = models_of(options.get());
  for (const OutputRuns& data : outputs) {
    for (const std::string& notice : data.notices()) add_once(plan.notices, notice);
    for (const std::string& notice : check_duplicates(data, options.get())) add_once(plan.notices, notice);
    for (const ValidFitOptions& own : models) {
      const GpTarget target = make_target(data, Scaling::from(data, ranges, own->input_scale), own.get());
      PlannedModel model =
          describe(target, own.get(), run_name(data.output_name(), own.get(), outputs.size(), models.size()));
      const PlannedModel* alike = find_alike(plan.models, model);
      model.evaluation =
          alike != nullptr ? alike->evaluation : time_evaluation(target, own->annealing.seed, timing_seconds);
      const MemoryUse memory = memory_use(target, own.get(), forecast_fit(model.shape).levels.expected);
      plan.memory = plan.models.empty() ? memory : plan.memory + memory;
      if (plan.models.empty() && needs_prior_constant(target, options.get())) ++num_rounds;
      plan.models.push_back(model);
    }
  }
  plan.unknown = reason_without_law(options.get());
  const bool has_gradients = std::all_of(plan.models.begin(), plan.models.end(), [](const PlannedModel& model) {
    return model.evaluation.gradient_seconds > 0.0;
  });
  if (plan.unknown.empty() && runs_passes(options.get()) && !has_gradients) {
    plan.unknown =
        "levels and time of --sampler ta2s2 are known where there is a gradient, found --prior " + options->prior;
  }
  if (plan.unknown.empty()) plan.work = expect_work(plan, num_rounds, cores);
  return plan;
}

}  // namespace ta2s2
