#include "ta2s2/workflow/plan_fit.hpp"

#include <algorithm>

#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/named_run.hpp"

namespace ta2s2 {
namespace {

// The settings that the laws were fitted to; empty if these are such.
std::string reason_without_law(const FitOptions& options) {
  const auto of = [](const std::string& found) {
    return "levels and time are known of --sampler ta2s2 with its own move and growth only, found " + found;
  };
  if (options.sampler != "ta2s2") return of("--sampler " + options.sampler);
  if (options.map_only) return of("--map-only");
  if (options.annealing.kernel.name != "exact") return of("--move " + options.annealing.kernel.name);
  if (options.annealing.growth != Growth::equal) return of("--growth tmcmc");
  if (options.annealing.anneal_to_zero) return of("--anneal-to 0");
  if (options.annealing.coordinates != Coordinates::unbounded) return of("--coordinates box");
  return "";
}

FitShape shape_of(const GpTarget& target, const FitOptions& options) {
  const AnnealOptions& annealing = options.annealing;
  FitShape shape;
  shape.num_runs = target.model()->num_runs();
  shape.dim = target.dim();
  shape.num_samples = annealing.num_samples;
  shape.num_groups = std::min(annealing.num_groups, annealing.num_samples);
  shape.given_chain_length = annealing.chain_length;
  shape.lanes = target.lanes();
  shape.ess_target = annealing.ess_target;
  return shape;
}

// Evaluations of as many runs by the same correlation cost the same, whatever the output.
const PlannedModel* find_alike(const std::vector<PlannedModel>& models, const PlannedModel& model) {
  const auto found = std::find_if(models.begin(), models.end(), [&](const PlannedModel& other) {
    return other.correlation == model.correlation && other.num_runs == model.num_runs && other.dim == model.dim;
  });
  return found == models.end() ? nullptr : &*found;
}

PlannedModel describe(const GpTarget& target, const FitOptions& options, const std::string& name) {
  PlannedModel model;
  model.name = name;
  model.correlation = options.correlation;
  model.num_runs = target.model()->num_runs();
  model.num_inputs = target.model()->num_inputs();
  model.dim = target.dim();
  model.lanes = target.lanes();
  model.shape = shape_of(target, options);
  return model;
}

bool needs_prior_constant(const GpTarget& target, const FitOptions& options) {
  return options.model == ModelUse::average && options.weighting == Weighting::evidence &&
         !target.log_prior_is_normalised();
}

std::vector<TimedFit> timed_fits(const FitPlan& plan) {
  std::vector<TimedFit> fits;
  for (const PlannedModel& model : plan.models) fits.push_back({model.shape, model.evaluation});
  return fits;
}

ExpectedWork expect_work(const FitPlan& plan, int num_rounds, const std::vector<Index>& cores) {
  ExpectedWork work;
  work.num_rounds = num_rounds;
  for (const PlannedModel& model : plan.models) {
    work.forecasts.push_back(forecast_fit(model.shape));
    work.num_tasks += model.shape.num_tasks();
  }
  for (const Index count : cores) {
    work.times.push_back({count, static_cast<double>(num_rounds) * forecast_seconds(timed_fits(plan), count)});
  }
  return work;
}

void add_once(std::vector<std::string>& notices, const std::vector<std::string>& more) {
  for (const std::string& notice : more) {
    if (std::find(notices.begin(), notices.end(), notice) == notices.end()) notices.push_back(notice);
  }
}

}  // namespace

FitPlan plan_fits(const std::vector<OutputRuns>& outputs, const ValidFitOptions& options,
                 const std::vector<InputRange>& ranges, const std::vector<Index>& cores, double timing_seconds) {
  FitPlan plan;
  int num_rounds = options->check ? 2 : 1;
  const std::vector<ValidFitOptions> models = models_of(options.get());
  for (const OutputRuns& data : outputs) {
    add_once(plan.notices, data.notices());
    add_once(plan.notices, check_duplicates(data, options.get()));
    for (const ValidFitOptions& own : models) {
      const GpTarget target = make_target(data, Scaling::from(data, ranges), own.get());
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
  if (plan.unknown.empty()) plan.work = expect_work(plan, num_rounds, cores);
  return plan;
}

}  // namespace ta2s2
