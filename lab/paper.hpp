// The three experiments of the paper's section 5 and the samplers that they compare, as tables.
#pragma once

#include <string>
#include <vector>

#include "lab/simulators.hpp"
#include "ta2s2/workflow/options.hpp"

namespace ta2s2::lab {

// A sampler, as settings of a fit.
struct System {
  std::string name;
  std::vector<Setting> settings;  // beside those of the experiment
  bool is_default = false;        // run if no list is given
  bool needs_gradient = false;    // which the reference prior has not
  bool takes_our_model = false;   // run with the default model too
  bool is_map = false;            // the plug-in prediction at the maximum that the fit of `exact` found
};

inline const std::string kReferenceSystem = "exact";  // that the others are compared with

const std::vector<System>& systems();

// "exact,map", "all", or empty for the default ones, in the order of the table. Error{usage} for a name that is none.
std::vector<System> choose_systems(const std::string& list);

// A model that every system samples.
struct PriorGroup {
  std::string name;
  std::vector<Setting> settings;
  bool is_papers = true;  // else this program's own defaults, which only its default kernel samples
};

struct PaperExperiment {
  std::string name;
  std::vector<PriorGroup> priors;
  bool has_designs = true;  // else there are only the runs that were published
  // Designs count from 1. `data` is the folder that holds published runs.
  TestProblem (*problem)(int design, const std::filesystem::path& data);
};

const std::vector<PaperExperiment>& paper_experiments();

// The paper's model but for the length-scales' prior: squared exponential, no mean, nugget uniform.
std::vector<Setting> paper_model();

}  // namespace ta2s2::lab
