// The sampling systems by name: what choosing one sets, and how it runs. A new one is one new entry in samplers.cpp.
#pragma once

#include "ta2s2/gp/gp_target.hpp"
#include "ta2s2/smc/sampler_result.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

struct SamplerSpec {
  std::string name;
  // The settings that the name stands for; those that are given beside it win.
  void (*choose)(FitOptions&);
  SamplerResult (*run)(const GpTarget&, const FitOptions&, Execution);  // null: it takes no sample
  bool is_annealed = true;                                              // by tempered levels: it samples any density
  bool gives_evidence = true;
  std::vector<std::string> unused = {};  // settings that mean nothing to it
};

const std::vector<SamplerSpec>& sampler_list();
// Error{usage} if there is none of this name.
const SamplerSpec& find_sampler(const std::string& name);

// Draws from any density over a box, without a Gaussian process: the sampler's settings of `options` by tempered
// levels; those of the model mean nothing here. The target has a box, and its evidence is the integral over it.
Sample sample_density(const TargetDensity& target, const ValidFitOptions& options, Execution context);

}  // namespace ta2s2
