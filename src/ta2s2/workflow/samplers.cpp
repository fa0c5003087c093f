#include "ta2s2/workflow/samplers.hpp"

#include <algorithm>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/smc/nuts.hpp"
#include "ta2s2/smc/passes.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/describe_result.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "ta2s2/workflow/start_points.hpp"

namespace ta2s2 {
namespace {

constexpr Index kHuntedByFits = 32;

void set_kernel(FitOptions& options, const char* kernel, Growth growth = Growth::equal) {
  options.annealing.kernel.name = kernel;
  options.annealing.growth = growth;
  options.fast = false;
}

SamplerResult run_annealing(const TargetDensity& target, const FitOptions& options, Execution context) {
  return annealed_run(anneal(target, options.anneal_options(), context), takes_all_levels(options),
                      options.num_samples(), context.executor);
}

// Towards zero temperature there is nothing for a second pass to agree with: levels go on where the first run ends.
SamplerResult run_ta2s2(const TargetDensity& target, const FitOptions& options, Execution context) {
  if (options.annealing.anneal_to_zero) return run_annealing(target, options, context);
  PassOptions passes = pass_options(options);
  // A narrow mode far from the others, which takes hundreds of searches to find, is nothing that runs of a simulator
  // give.
  if (const auto* of_runs = dynamic_cast<const GpTarget*>(&target)) {
    passes.starts = start_points(*of_runs);
    passes.num_hunted = kHuntedByFits;
  }
  return run_passes(target, passes, context);
}

const GpTarget& process(const TargetDensity& target) {
  return dynamic_cast<const GpTarget&>(target);
}

SamplerResult run_chains(const TargetDensity& target, const FitOptions& options, Execution context) {
  return run_long_chains(target, options.anneal_options(), context);
}

SamplerResult run_no_u_turns(const TargetDensity& target, const FitOptions& options, Execution context) {
  NutsOptions nuts;
  nuts.num_samples = options.num_samples();
  nuts.num_chains = options.annealing.num_groups;
  nuts.seed = options.annealing.seed;
  return nuts_run(process(target), nuts, context);
}

// Runs arrive in the order of the data's rows.
SamplerResult run_learning(const TargetDensity& target, const FitOptions& options, Execution context) {
  const GpTarget& all = process(target);
  const TargetSequence targets{[&](Index num_runs) { return std::make_unique<GpTarget>(all.given_first(num_runs)); },
                               all.model()->first_informative(), all.model()->num_runs()};
  return learn_particles(targets, options.anneal_options(), context);
}

SamplerSpec passes() {
  SamplerSpec spec{"ta2s2", [](FitOptions& o) { set_kernel(o, "exact"); }, run_ta2s2};
  spec.is_annealed = false;
  spec.unused = {"move", "growth", "chain-length", "groups", "coordinates", "start", "ess-target", "draws-from"};
  return spec;
}

SamplerSpec annealed(const char* name, void (*choose)(FitOptions&)) {
  SamplerSpec spec{name, choose, run_annealing};
  spec.unused = {"max-evaluations"};
  return spec;
}

// A sampler of this one kind of target, without levels of tempering.
SamplerSpec of_processes(const char* name, void (*choose)(FitOptions&),
                         SamplerResult (*run)(const TargetDensity&, const FitOptions&, Execution),
                         std::vector<std::string> unused) {
  unused.push_back("max-evaluations");
  return {name, choose, run, false, false, false, std::move(unused)};
}

std::vector<SamplerSpec> make_list() {
  const std::vector<std::string> of_levels = {"growth", "draws-from", "anneal-to"};
  const std::vector<std::string> of_levels_and_chains = {"growth", "draws-from", "anneal-to", "chain-length",
                                                         "ess-target"};
  SamplerSpec learning = of_processes(
      "plgp", [](FitOptions& o) { set_kernel(o, "random-walk"); }, run_learning, of_levels);
  learning.gives_evidence = true;
  return {
      passes(),
      annealed("annealed", [](FitOptions& o) { set_kernel(o, "exact"); }),
      annealed("published", [](FitOptions& o) { set_kernel(o, "published", Growth::tmcmc); }),
      annealed("tmcmc", [](FitOptions& o) { set_kernel(o, "random-walk", Growth::tmcmc); }),
      annealed("aims", [](FitOptions& o) { set_kernel(o, "aims"); }),
      of_processes(
          "slice", [](FitOptions& o) { set_kernel(o, "neal"); }, run_chains, of_levels_and_chains),
      of_processes(
          "elliptical", [](FitOptions& o) { set_kernel(o, "elliptical"); }, run_chains, of_levels_and_chains),
      of_processes("nuts", [](FitOptions& o) { set_kernel(o, "exact"); }, run_no_u_turns,
                   {"move", "coordinates", "growth", "draws-from", "anneal-to", "chain-length", "ess-target"}),
      learning,
      of_processes("map",
                   [](FitOptions& o) {
                     set_kernel(o, "exact");
                     o.fast = true;
                   },
                   nullptr, {"move", "growth", "chain-length", "ess-target"}),
  };
}

}  // namespace

const std::vector<SamplerSpec>& sampler_list() {
  static const std::vector<SamplerSpec> list = make_list();
  return list;
}

const SamplerSpec& find_sampler(const std::string& name) {
  for (const SamplerSpec& spec : sampler_list()) {
    if (spec.name == name) return spec;
  }
  throw Error(ErrorCode::usage,
              "unknown sampler \"" + name + "\"; known samplers: " + join(sampler_list(), ", ", &SamplerSpec::name));
}

bool wants_fewer_draws(const FitOptions& options) {
  return options.num_averaged > 1 && !options.weighs_evidence;
}

PassOptions pass_options(const FitOptions& options) {
  constexpr double kWanted = 400.0, kWantedOfEach = 200.0;  // independent draws: means err by 0.05 and 0.07 sds
  constexpr double kDrawsOfWanted = 5.0;     // the sample is worth a fifth of what was asked for, or more
  constexpr double kComparedEvidence = 0.1;  // error of a log evidence that weighs models
  const bool is_part = wants_fewer_draws(options);
  PassOptions passes;
  passes.may_hold_fewer = options.samples == 0;
  passes.num_draws = options.num_samples();
  if (is_part && passes.may_hold_fewer) passes.num_draws /= options.num_averaged;
  passes.wanted_draws =
      std::max(is_part ? kWantedOfEach : kWanted, static_cast<double>(options.samples) / kDrawsOfWanted);
  if (options.weighs_evidence) passes.wanted_evidence_error = kComparedEvidence;
  passes.most_evaluations = options.max_evaluations;
  passes.seed = options.annealing.seed;
  passes.simd = options.annealing.simd;
  return passes;
}

Sample sample_density(const TargetDensity& target, const ValidFitOptions& options, Execution context) {
  const SamplerSpec& sampler = find_sampler(options->sampler);
  if (!sampler.samples_densities || options->fast) {
    throw Error(ErrorCode::usage, "--sampler " + options->sampler +
                                      " samples fits only; a density is sampled by ta2s2, annealed, published, tmcmc "
                                      "or aims");
  }
  FitOptions own = options.get();
  own.annealing.simd = choose_instruction_set(own.simd);
  Sample found = describe_result(sampler.run(target, own, context), target, 0.0, own.annealing.seed, context.executor);
  found.judgement = judge_sample(found, own);
  return found;
}

}  // namespace ta2s2
