#include "ta2s2/workflow/plan_fit.hpp"

#include <algorithm>

#include "ta2s2/workflow/gp_problem.hpp"

namespace ta2s2 {
namespace {

// The settings that the laws were fitted to; empty if these are such.
std::string reason_without_law(const FitOptions& options) {
  const auto of = [](const std::string& found) {
    return "levels and time are known of --sampler ta2s2 with its own kernel and growth only, found " + found;
  };
  if (options.sampler != "ta2s2") return of("--sampler " + options.sampler);
  if (options.map_only) return of("--map-only");
  if (options.annealing.kernel.name != "exact") return of("--kernel " + options.annealing.kernel.name);
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

ExpectedWork expect_work(const FitShape& shape, const FitOptions& options, const EvaluationTime& evaluation,
                         const std::vector<Index>& cores, int num_outputs) {
  ExpectedWork work;
  work.shape = shape;
  const bool averages = options.model == ModelUse::average;
  work.num_fits =
      num_outputs * (averages ? static_cast<int>(options.average_over.size()) : 1) * (options.check ? 2 : 1);
  work.forecast = forecast_fit(shape);
  for (const Index count : cores) {
    work.times.push_back({count, static_cast<double>(work.num_fits) * forecast_seconds(shape, evaluation, count)});
  }
  return work;
}

}  // namespace

FitPlan plan_fit(const Dataset& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 const std::vector<Index>& cores, int num_outputs, double timing_seconds) {
  FitPlan plan;
  plan.notices = data.notices();
  for (std::string& notice : check_duplicates(data, options.get())) plan.notices.push_back(std::move(notice));
  const GpTarget target = make_target(data, Scaling::from(data, ranges), options.get());
  const FitShape shape = shape_of(target, options.get());
  plan.num_runs = data.num_runs();
  plan.num_inputs = data.num_inputs();
  plan.dim = target.dim();
  plan.lanes = target.lanes();
  plan.evaluation = time_evaluation(target, options->annealing.seed, timing_seconds);
  plan.memory = memory_use(target, options.get(), forecast_fit(shape).levels.expected);
  plan.unknown = reason_without_law(options.get());
  if (plan.unknown.empty()) plan.work = expect_work(shape, options.get(), plan.evaluation, cores, num_outputs);
  return plan;
}

}  // namespace ta2s2
