#include "ta2s2/workflow/sample_density.hpp"

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/samplers.hpp"

namespace ta2s2 {

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
