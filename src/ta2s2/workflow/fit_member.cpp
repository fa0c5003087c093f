#include "ta2s2/workflow/fit_member.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/describe_result.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

// Without a sample: the best of many start points, each of the best few refined.
Mode search_maximum(const GpTarget& target, const FitOptions& options, Executor& executor) {
  constexpr Index kNumStarts = 8;
  const LevelMoves starts = draw_start_points(target, options.num_samples(), options.annealing.seed, executor);
  std::vector<Index> order(static_cast<std::size_t>(starts.population.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto energy = [&](Index i) { return starts.population.energies[static_cast<std::size_t>(i)].total(); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return energy(a) < energy(b); });
  if (std::isinf(energy(order.front()))) {
    throw Error(ErrorCode::bad_data, "no start point has a finite density; widen the box or check the model");
  }
  const auto num_starts = std::min(kNumStarts, static_cast<Index>(order.size()));
  const auto task = [&](Index k, int) {
    const MapEstimate found = refine(InterruptibleTarget(target, executor), *target.box(),
                                     starts.population.positions.col(order[static_cast<std::size_t>(k)]));
    Payload payload(found.position.begin(), found.position.end());
    payload.push_back(found.energy);
    return payload;
  };
  const std::vector<Payload> found = executor.map(std::vector<double>(static_cast<std::size_t>(num_starts), 1.0), task);
  for (const Payload& each : found) {
    PayloadReader reader(each);
    reader.numbers(static_cast<std::size_t>(target.dim()) + 1);
    reader.require_end();
  }
  const Payload& best = *std::min_element(found.begin(), found.end(),
                                          [](const Payload& a, const Payload& b) { return a.back() < b.back(); });
  const Vector position = Eigen::Map<const Vector>(best.data(), target.dim());
  return {position, best.back(), 1.0, position, Vector::Zero(target.dim())};
}

MemberRecord fit_once(const OutputRuns& data, const FitOptions& options, const Scaling& scaling, Index prior_runs,
                      Execution context) {
  const auto begin = Clock::now();
  std::vector<std::string> notices = data.notices();
  for (std::string& notice : check_duplicates(data, options)) notices.push_back(std::move(notice));

  const GpTarget target = make_target(data, scaling, options, prior_runs);
  const double offset = unit_offset(*target.model(), scaling);

  Sample run;
  if (options.map_only) {
    Mode maximum = search_maximum(target, options, context.executor);
    maximum.energy += offset;
    run.sample = {target.names(), maximum.position, Vector::Ones(1), Vector::Constant(1, maximum.energy)};
    run.modes = {std::move(maximum)};
  } else {
    run = describe_posterior(find_sampler(options.sampler).run(target, options, context), target, offset,
                             options.annealing.seed, context.executor);
  }
  for (std::string& notice : run.notices) notices.push_back(std::move(notice));

  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  MemberRecord record{version(), data,       scaling,      options,         run.sample, best_mode(run.modes),
                      run.modes, run.levels, run.evidence, run.diagnostics, notices,    {utc_now(), seconds}};
  record.prior_runs = prior_runs;
  record.passes = run.passes;
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

EvidenceEstimate log_prior_constant(const OutputRuns& data, const Scaling& scaling, const FitOptions& options,
                                    Index prior_runs, Execution context) {
  FitOptions own;
  own.weighs_evidence = true;
  own.annealing = options.annealing;
  // Draws of its own: the two errors add up as independent ones.
  own.annealing.seed = ~options.annealing.seed;
  find_sampler(own.sampler).choose(own);
  const GpTarget prior = make_target(data, scaling, options, prior_runs).prior_alone();
  return *find_sampler(own.sampler).run(prior, own, context).evidence;
}

void normalise_evidence(MemberRecord& fit, Execution context) {
  if (!fit.evidence || fit.evidence->is_normalised) return;
  const EvidenceEstimate constant = log_prior_constant(fit.data, fit.scaling, fit.options, prior_runs_of(fit), context);
  shift(*fit.evidence, -constant.log_evidence);
  fit.evidence->standard_error = std::hypot(fit.evidence->standard_error, constant.standard_error);
  fit.evidence->is_normalised = true;
}

Sample describe_posterior(SamplerResult result, const GpTarget& target, double offset, std::uint64_t seed,
                          Executor& executor) {
  Sample run = describe_result(std::move(result), target, offset, seed, executor);
  if (!run.evidence) return run;
  shift(*run.evidence, -offset);
  run.evidence->standard_error = std::hypot(run.evidence->standard_error, target.log_evidence_offset_error());
  run.evidence->is_normalised = target.log_prior_is_normalised();
  keep_finite(*run.evidence);
  return run;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

double unit_offset(const GpModel& model, const Scaling& scaling) {
  return static_cast<double>(model.degrees_of_freedom()) * std::log(scaling.output_sd());
}

MapEstimate best_mode(const std::vector<Mode>& modes) {
  MapEstimate best;
  for (const Mode& mode : modes) {
    if (mode.energy < best.energy) best = {mode.position, mode.energy, 0};
  }
  return best;
}

void shift(Evidence& evidence, double log_factor) {
  evidence.log_evidence += log_factor;
  for (double& log_evidence : evidence.by_group) log_evidence += log_factor;
}

void keep_finite(Evidence& evidence) {
  constexpr double kNone = 1e6;
  for (double& log_evidence : evidence.by_group) {
    log_evidence = std::max(log_evidence, evidence.log_evidence - kNone);
  }
}

}  // namespace ta2s2
