// The samplers that experiments compare, as settings of a fit.
#pragma once

#include <string>
#include <vector>

#include "ta2s2/workflow/options.hpp"

namespace ta2s2 {

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

}  // namespace ta2s2
