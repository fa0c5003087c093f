#include "ta2s2/workflow/fit_member.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>

#include "ta2s2/error.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/mode_search.hpp"
#include "ta2s2/types.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/describe_result.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/start_points.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

// The best few of many draws of the start density. Error{bad_data} if none of them has a density.
Matrix best_draws(const GpTarget& target, Index count, Index num_draws, std::uint64_t seed, Executor& executor) {
  const LevelMoves starts = draw_start_points(target, num_draws, seed, executor);
  std::vector<Index> order(static_cast<std::size_t>(starts.population.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto energy = [&](Index i) { return starts.population.energies[static_cast<std::size_t>(i)].total(); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return energy(a) < energy(b); });
  if (std::isinf(energy(order.front()))) {
    throw Error(ErrorCode::bad_data, "no start point has a finite density; widen the box or check the model");
  }
  order.resize(static_cast<std::size_t>(std::min(count, static_cast<Index>(order.size()))));
  return starts.population.positions(Eigen::all, order);
}

Matrix beside(const Matrix& first, const Matrix& second) {
  Matrix both(first.rows(), first.cols() + second.cols());
  both << first, second;
  return both;
}

// By gradients that are differences, each start a task.
std::vector<MapEstimate> refine_each(const GpTarget& target, const Matrix& starts, Executor& executor) {
  const auto task = [&](Index k, int) {
    const MapEstimate found = refine(InterruptibleTarget(target, executor), *target.box(), starts.col(k));
    Payload payload(found.position.begin(), found.position.end());
    payload.push_back(found.energy);
    return payload;
  };
  std::vector<MapEstimate> found;
  for (const Payload& each : executor.map(std::vector<double>(static_cast<std::size_t>(starts.cols()), 1.0), task)) {
    PayloadReader reader(each);
    const auto position = reader.numbers(static_cast<std::size_t>(target.dim()));
    const double energy = reader.number();
    reader.require_end();
    found.push_back({Eigen::Map<const Vector>(position.data(), target.dim()), energy, 0});
  }
  return found;
}

// Where to look for the maximum: where a model of the same inputs has it, if there is one; where start_points says; and
// the best of some draws.
Matrix all_starts(const GpTarget& target, const FitOptions& options, const MemberRecord* leader, Executor& executor) {
  // Searches by a gradient cost as much as a few draws each, those without one as many as there are coordinates.
  const bool by_gradient = target.has_gradient();
  const Index num_draws = by_gradient ? 200 : options.num_samples(), num_best = by_gradient ? 4 : 8;
  Matrix starts =
      beside(start_points(target), best_draws(target, num_best, num_draws, options.annealing.seed, executor));
  if (leader == nullptr) return starts;
  return beside(start_from(target.space(), make_space(*leader), leader->map.position), starts);
}

// Without a sample.
Mode search_maximum(const GpTarget& target, const FitOptions& options, const MemberRecord* leader, Executor& executor) {
  const Matrix starts = all_starts(target, options, leader, executor);
  const std::vector<MapEstimate> found =
      target.has_gradient() ? minimise(target, *target.box(), starts, executor) : refine_each(target, starts, executor);
  const MapEstimate& best = *std::min_element(
      found.begin(), found.end(), [](const MapEstimate& a, const MapEstimate& b) { return a.energy < b.energy; });
  return {best.position, best.energy, 1.0, best.position, Vector::Zero(target.dim())};
}

MemberRecord fit_once(const OutputRuns& data, const FitOptions& options, const ModelConstants& constants,
                      const MemberRecord* leader, Execution context) {
  const auto begin = Clock::now();
  std::vector<std::string> notices = data.notices();
  for (std::string& notice : check_duplicates(data, options)) notices.push_back(std::move(notice));

  const GpTarget target = make_target(data, constants, options);
  const double offset = unit_offset(*target.model(), constants.scaling);

  Sample run;
  if (options.fast) {
    Mode maximum = search_maximum(target, options, leader, context.executor);
    maximum.energy += offset;
    run.sample = {target.names(), maximum.position, Vector::Ones(1), Vector::Constant(1, maximum.energy)};
    run.modes = {std::move(maximum)};
  } else {
    run = describe_posterior(find_sampler(options.sampler).run(target, options, context), target, offset,
                             options.annealing.seed, context.executor);
  }
  for (std::string& notice : run.notices) notices.push_back(std::move(notice));

  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  MemberRecord record{version(), data,       constants.scaling, options,         run.sample, best_mode(run.modes),
                      run.modes, run.levels, run.evidence,      run.diagnostics, notices,    {utc_now(), seconds}};
  record.prior_runs = constants.prior_runs;
  record.passes = run.passes;
  record.transform = constants.transform;
  return record;
}

FitOptions on_this_machine(const FitOptions& options) {
  FitOptions resolved = for_single_model(options);
  resolved.annealing.simd = choose_instruction_set(resolved.simd);
  resolved.simd = instruction_set_name(resolved.annealing.simd);
  return resolved;
}

MemberRecord fit_and_check(const OutputRuns& data, const FitOptions& options, const ModelConstants& constants,
                           const MemberRecord* leader, Execution context) {
  const FitOptions resolved = on_this_machine(options);
  MemberRecord record = fit_once(data, resolved, constants, leader, context);
  if (!options.check) return record;
  FitOptions other = resolved;
  ++other.annealing.seed;
  const MemberRecord second = fit_once(data, other, constants, leader, context);
  record.check = compare_runs(record, second);
  record.times.total_seconds += second.times.total_seconds;
  return record;
}

}  // namespace

MemberRecord fit(const OutputRuns& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
                 Execution context, const MemberRecord* leader) {
  const ModelConstants constants =
      find_constants(data, Scaling::from(data, ranges, options->input_scale), options.get());
  return fit_and_check(data, options.get(), constants, leader, context);
}

MemberRecord fit_like(const MemberRecord& model, const OutputRuns& data, const ValidFitOptions& options,
                      Execution context) {
  ModelConstants constants = constants_of(model);
  const bool has_outgrown = !holds_outputs(model.transform, model.scaling, data.output());
  if (has_outgrown) constants.transform = find_transform(data, model.scaling, options.get());
  MemberRecord record = fit_and_check(data, options.get(), constants, &model, context);
  if (has_outgrown) record.notices.push_back(notice_of_outgrown(model.transform));
  return record;
}

std::string notice_of_outgrown(const OutputTransform& transform) {
  return "some of the added runs have outputs beyond those that the transformation " + transform.name() +
         " was fitted to: it has new constants, and the model was fitted afresh to all runs";
}

EvidenceEstimate log_prior_constant(const OutputRuns& data, const ModelConstants& constants, const FitOptions& options,
                                    Execution context) {
  FitOptions own;
  own.weighs_evidence = true;
  own.annealing = options.annealing;
  // Draws of its own: the two errors add up as independent ones.
  own.annealing.seed = ~options.annealing.seed;
  find_sampler(own.sampler).choose(own);
  const GpTarget prior = make_target(data, constants, options).prior_alone();
  return *find_sampler(own.sampler).run(prior, own, context).evidence;
}

void normalise_evidence(MemberRecord& fit, Execution context) {
  if (!fit.evidence || fit.evidence->is_normalised) return;
  const EvidenceEstimate constant = log_prior_constant(fit.data, constants_of(fit), fit.options, context);
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
