#include "ta2s2/workflow/fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/describe_run.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/interruptible_target.hpp"
#include "ta2s2/workflow/record_parts.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/types.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

Evidence in_users_units(const Evidence& estimate, const GpTarget& target, double offset) {
  Evidence evidence{estimate.log_evidence - offset,
                    std::hypot(estimate.standard_error, target.log_evidence_offset_error()),
                    target.log_prior_is_normalised(), estimate.by_group};
  for (double& log_evidence : evidence.by_group) log_evidence -= offset;
  keep_finite(evidence);
  return evidence;
}

struct Sampled {
  Sample run;
  std::optional<Evidence> evidence;
};

Sampled sample_posterior(const GpTarget& target, double offset, const FitOptions& options, Execution context) {
  SamplerResult run = find_sampler(options.sampler).run(target, options, context);
  Sampled sampled{describe_run(std::move(run), target, offset, options.annealing.seed, context.executor), std::nullopt};
  if (sampled.run.evidence) sampled.evidence = in_users_units(*sampled.run.evidence, target, offset);
  return sampled;
}

// Without a sample: the best of many start points, each of the best few refined.
std::vector<Mode> search_modes(const GpTarget& target, const Box& box, const FitOptions& options, Executor& executor) {
  constexpr Index kNumStarts = 8;
  const LevelMoves starts = draw_start_points(target, options.annealing.num_samples, options.annealing.seed, executor);
  std::vector<Index> order(static_cast<std::size_t>(starts.population.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  const auto energy = [&](Index i) { return starts.population.energies[static_cast<std::size_t>(i)].total(); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return energy(a) < energy(b); });
  if (std::isinf(energy(order.front()))) {
    throw Error(ErrorCode::bad_data, "no start point has a finite density; widen the box or check the model");
  }
  const auto num_starts = std::min(kNumStarts, static_cast<Index>(order.size()));
  const auto task = [&](Index k, int) {
    const MapEstimate found = refine(InterruptibleTarget(target, executor), box,
                                     starts.population.positions.col(order[static_cast<std::size_t>(k)]));
    Payload payload(found.position.begin(), found.position.end());
    payload.push_back(found.energy);
    return payload;
  };
  std::vector<Mode> modes;
  for (const Payload& payload : executor.map(std::vector<double>(static_cast<std::size_t>(num_starts), 1.0), task)) {
    const Vector position = Eigen::Map<const Vector>(payload.data(), target.dim());
    modes.push_back({position, payload.back(), 0.0, position, Vector::Zero(target.dim())});
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.energy < b.energy; });
  modes.resize(1);
  modes.front().weight = 1.0;
  return modes;
}

PosteriorSample single_draw(const GpTarget& target, const Mode& mode) {
  return {target.names(), mode.position, Vector::Ones(1), Vector::Constant(1, mode.energy)};
}

MemberRecord fit_once(const OutputRuns& data, const FitOptions& options, const Scaling& scaling, Index prior_runs,
                      Execution context) {
  const auto begin = Clock::now();
  std::vector<std::string> notices = data.notices();
  for (std::string& notice : check_duplicates(data, options)) notices.push_back(std::move(notice));

  const GpTarget target = make_target(data, scaling, options, prior_runs);
  const double offset = unit_offset(*target.model(), scaling);

  Sampled sampled;
  if (options.map_only) {
    sampled.run.modes = search_modes(target, *target.box(), options, context.executor);
    for (Mode& mode : sampled.run.modes) mode.energy += offset;
    sampled.run.sample = single_draw(target, sampled.run.modes.front());
  } else {
    sampled = sample_posterior(target, offset, options, context);
  }
  for (std::string& notice : sampled.run.notices) notices.push_back(std::move(notice));

  const Sample& run = sampled.run;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  MemberRecord record{version(), data,       scaling,          options,         run.sample, best_mode(run.modes),
                      run.modes, run.levels, sampled.evidence, run.diagnostics, notices,    {utc_now(), seconds}};
  record.prior_runs = prior_runs;
  return record;
}

MemberRecord fit_and_check(const OutputRuns& data, const FitOptions& options, const Scaling& scaling, Index prior_runs,
                           Execution context) {
  FitOptions resolved = for_single_model(options);
  resolved.annealing.simd = choose_instruction_set(resolved.simd);
  resolved.simd = instruction_set_name(resolved.annealing.simd);
  MemberRecord record = fit_once(data, resolved, scaling, prior_runs, context);
  if (!options.check) return record;
  FitOptions other = resolved;
  ++other.annealing.seed;
  const MemberRecord second = fit_once(data, other, scaling, prior_runs, context);
  record.check = compare_runs(record, second);
  record.times.total_seconds += second.times.total_seconds;
  return record;
}

}  // namespace

MemberRecord fit(const OutputRuns& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 Execution context) {
  return fit_and_check(data, options.get(), Scaling::from(data, ranges), 0, context);
}

MemberRecord fit_like(const MemberRecord& model, const OutputRuns& data, const ValidFitOptions& options,
                      Execution context) {
  return fit_and_check(data, options.get(), model.scaling, prior_runs_of(model), context);
}

}  // namespace ta2s2
