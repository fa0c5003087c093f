#include "ta2s2/workflow/samplers.hpp"

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"
#include "ta2s2/smc/nuts.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/describe_result.hpp"

namespace ta2s2 {
namespace {

void set_kernel(FitOptions& options, const char* kernel, Growth growth = Growth::equal) {
  options.annealing.kernel.name = kernel;
  options.annealing.growth = growth;
  options.map_only = false;
}

SamplerResult run_annealing(const GpTarget& target, const FitOptions& options, Execution context) {
  return annealed_run(anneal(target, options.annealing, context), takes_all_levels(options),
                      options.annealing.num_samples, context.executor);
}

SamplerResult run_chains(const GpTarget& target, const FitOptions& options, Execution context) {
  return run_long_chains(target, options.annealing, context);
}

SamplerResult run_no_u_turns(const GpTarget& target, const FitOptions& options, Execution context) {
  NutsOptions nuts;
  nuts.num_samples = options.annealing.num_samples;
  nuts.num_chains = options.annealing.num_groups;
  nuts.seed = options.annealing.seed;
  return nuts_run(target, nuts, context);
}

// Runs arrive in the order of the data's rows.
SamplerResult run_learning(const GpTarget& target, const FitOptions& options, Execution context) {
  const TargetSequence targets{[&](Index num_runs) { return std::make_unique<GpTarget>(target.given_first(num_runs)); },
                               target.model()->first_informative(), target.model()->num_runs()};
  return learn_particles(targets, options.annealing, context);
}

std::vector<SamplerSpec> make_list() {
  const std::vector<std::string> of_levels = {"growth", "draws-from", "anneal-to"};
  const std::vector<std::string> of_levels_and_chains = {"growth", "draws-from", "anneal-to", "chain-length",
                                                         "ess-target"};
  return {
      {"ta2s2", [](FitOptions& o) { set_kernel(o, "exact"); }, run_annealing},
      {"published", [](FitOptions& o) { set_kernel(o, "published", Growth::tmcmc); }, run_annealing},
      {"tmcmc", [](FitOptions& o) { set_kernel(o, "random-walk", Growth::tmcmc); }, run_annealing},
      {"aims", [](FitOptions& o) { set_kernel(o, "aims"); }, run_annealing},
      {"slice", [](FitOptions& o) { set_kernel(o, "neal"); }, run_chains, false, false, of_levels_and_chains},
      {"elliptical", [](FitOptions& o) { set_kernel(o, "elliptical"); }, run_chains, false, false,
       of_levels_and_chains},
      {"nuts",
       [](FitOptions& o) { set_kernel(o, "exact"); },
       run_no_u_turns,
       false,
       false,
       {"move", "coordinates", "growth", "draws-from", "anneal-to", "chain-length", "ess-target"}},
      {"plgp", [](FitOptions& o) { set_kernel(o, "random-walk"); }, run_learning, false, true, of_levels},
      {"map",
       [](FitOptions& o) {
         set_kernel(o, "exact");
         o.map_only = true;
       },
       nullptr,
       false,
       false,
       {"move", "growth", "chain-length", "ess-target"}},
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

Sample sample_density(const TargetDensity& target, const ValidFitOptions& options, Execution context) {
  if (!find_sampler(options->sampler).is_annealed || options->map_only) {
    throw Error(ErrorCode::usage, "--sampler " + options->sampler +
                                      " samples fits only; a density is sampled by ta2s2, published, tmcmc or aims");
  }
  AnnealOptions annealing = options->annealing;
  annealing.simd = choose_instruction_set(options->simd);
  SamplerResult run = annealed_run(anneal(target, annealing, context), takes_all_levels(options.get()),
                                   annealing.num_samples, context.executor);
  return describe_result(std::move(run), target, 0.0, annealing.seed, context.executor);
}

}  // namespace ta2s2
