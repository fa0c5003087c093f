#include "ta2s2/workflow/fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>

#include "ta2s2/base/error.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/thinning.hpp"
#include "ta2s2/workflow/compare_runs.hpp"
#include "ta2s2/workflow/diagnose.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/samplers.hpp"
#include "ta2s2/workflow/version.hpp"

namespace ta2s2 {
namespace {

using Clock = std::chrono::steady_clock;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// What turns an energy of the standardised output into one of the user's: density per unit^df of the output.
double unit_offset(const GpModel& model, const Scaling& scaling) {
  return static_cast<double>(model.degrees_of_freedom()) * std::log(scaling.output_sd());
}

Vector total_energies(std::span<const Energy> energies, double offset) {
  Vector totals(static_cast<Index>(energies.size()));
  for (std::size_t i = 0; i < energies.size(); ++i) totals[static_cast<Index>(i)] = energies[i].total() + offset;
  return totals;
}

// At most `count` draws: a prediction's cost is theirs.
PosteriorSample take_sample(const WeightedPopulation& states, Index count, std::uint64_t seed, const GpTarget& target,
                            double offset) {
  Stream stream({seed, Purpose::thinning, 0, 0, 0});
  const ThinnedDraws thinned = thin(states.weights, count, stream);
  return {target.names(), states.positions(Eigen::all, thinned.kept), thinned.weights,
          total_energies(states.energies, offset)(thinned.kept)};
}

struct Sampled {
  PosteriorSample sample;
  std::vector<LevelReport> levels;
  std::optional<Evidence> evidence;
  std::vector<CoordinateDiagnostics> diagnostics;
  std::vector<Mode> modes;
  std::vector<std::string> notices;
};

Evidence in_users_units(const EvidenceEstimate& estimate, const GpTarget& target, double offset) {
  Evidence evidence{estimate.log_evidence - offset,
                    std::hypot(estimate.standard_error, target.log_evidence_offset_error()),
                    target.log_prior_is_normalised(), estimate.by_group};
  // A group without any state of positive weight at some level has none at all; files hold finite numbers only.
  constexpr double kNone = 1e6;
  for (double& log_evidence : evidence.by_group) {
    log_evidence = std::max(log_evidence - offset, evidence.log_evidence - kNone);
  }
  return evidence;
}

// The same of every sampler's run.
Sampled describe_run(SamplerRun run, const GpTarget& target, double offset, std::uint64_t seed, Executor& executor) {
  Sampled sampled;
  sampled.sample = take_sample(run.states, run.num_draws, seed, target, offset);
  if (run.evidence) sampled.evidence = in_users_units(*run.evidence, target, offset);
  sampled.diagnostics = diagnose_coordinates(run.states, target.space(), &executor);
  count_thinning(sampled.diagnostics, run.states.weights, sampled.sample.weights);
  sampled.modes =
      weigh_by_group(divide_into_modes(target, *target.box(), sampled.sample, executor), run.states, &executor);
  sampled.levels = std::move(run.levels);
  sampled.notices = std::move(run.notices);
  return sampled;
}

Sampled sample_posterior(const GpTarget& target, double offset, const FitOptions& options, RunContext context) {
  SamplerRun run = find_sampler(options.sampler).run(target, options, context);
  return describe_run(std::move(run), target, offset, options.annealing.seed, context.executor);
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
    const MapEstimate found = refine(target, box, starts.population.positions.col(order[static_cast<std::size_t>(k)]));
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

MapEstimate best_mode(const std::vector<Mode>& modes) {
  MapEstimate best;
  for (const Mode& mode : modes) {
    if (mode.energy < best.energy) best = {mode.position, mode.energy, 0};
  }
  return best;
}

FitRecord fit_once(const Dataset& data, const FitOptions& options, const std::vector<InputRange>& ranges,
                   RunContext context) {
  const auto begin = Clock::now();
  std::vector<std::string> notices = data.notices();
  for (std::string& notice : check_duplicates(data, options)) notices.push_back(std::move(notice));

  const Scaling scaling = Scaling::from(data, ranges);
  const GpTarget target = make_target(data, scaling, options);
  const double offset = unit_offset(*target.model(), scaling);

  Sampled sampled;
  if (options.map_only) {
    sampled.modes = search_modes(target, *target.box(), options, context.executor);
  } else {
    sampled = sample_posterior(target, offset, options, context);
  }
  for (std::string& notice : sampled.notices) notices.push_back(std::move(notice));
  for (Mode& mode : sampled.modes) mode.energy += offset;
  if (options.map_only) sampled.sample = single_draw(target, sampled.modes.front());

  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return FitRecord{version(),        data,
                   scaling,          options,
                   sampled.sample,   best_mode(sampled.modes),
                   sampled.modes,    sampled.levels,
                   sampled.evidence, sampled.diagnostics,
                   notices,          {utc_now(), seconds}};
}

}  // namespace

FitRecord fit(const Dataset& data, const ValidFitOptions& options, const std::vector<InputRange>& ranges,
              RunContext context) {
  FitOptions resolved = options.get();
  resolved.annealing.simd = choose_simd_path(resolved.simd);
  resolved.simd = simd_path_name(resolved.annealing.simd);
  FitRecord record = fit_once(data, resolved, ranges, context);
  if (!options->check) return record;
  FitOptions other = resolved;
  ++other.annealing.seed;
  const FitRecord second = fit_once(data, other, ranges, context);
  record.check = compare_runs(record, second);
  record.times.total_seconds += second.times.total_seconds;
  return record;
}

}  // namespace ta2s2
