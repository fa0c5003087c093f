// The sampling systems by name: what choosing one sets, and how it runs. A new one is one new entry in samplers.cpp.
#pragma once

#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/smc/passes.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct SamplerSpec {
  std::string name;
  // The settings that the name stands for; those that are given beside it win.
  void (*choose)(FitOptions&);
  // Null: it takes no sample.
  SamplerResult (*run)(const TargetDensity&, const FitOptions&, Execution);
  bool is_annealed = true;  // by levels that are tempered once, from the start density
  bool gives_evidence = true;
  bool samples_densities = true;         // any density over a box; else GpTargets only
  std::vector<std::string> unused = {};  // settings that mean nothing to it
};

const std::vector<SamplerSpec>& sampler_list();
// Error{usage} if there is none of this name.
const SamplerSpec& find_sampler(const std::string& name);

// How the sampler `ta2s2` goes by these settings. Under `--samples auto` its sample is worth 400 independent draws, or
// 200 if the model is one of an average that is not weighed by evidence; a larger number of samples asks for a sample
// that is worth more.
PassOptions pass_options(const FitOptions& options);
// Draws of an average carry each a part of its noise: of its models fewer are wanted, unless their evidences are.
bool wants_fewer_draws(const FitOptions& options);

// Draws from any density over a box, without a Gaussian process, by the sampler of `options`; settings of the model
// mean nothing here. The target has a box, and its evidence is the integral over it.
Sample sample_density(const TargetDensity& target, const ValidFitOptions& options, Execution context);

}  // namespace ta2s2
