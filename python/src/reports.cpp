#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace ta2s2::python {

nb::dict to_dict(const LevelSummary& report) {
  nb::dict level;
  level["level"] = report.level;
  level["inverse_temperature"] = report.beta;
  level["effective_sample_size"] = report.effective_sample_size;
  level["log_mean_weight"] = report.log_mean_weight;
  level["log_mean_weight_error"] = report.log_mean_weight_error;
  level["num_chains"] = report.num_chains;
  level["num_states"] = report.num_states;
  level["evaluations"] = report.evaluations;
  level["acceptance"] = report.acceptance();
  level["mean_energy"] = report.mean_energy;
  level["sd_energy"] = report.sd_energy;
  level["seconds"] = report.seconds;
  level["levels_left"] = report.levels_left ? nb::cast(*report.levels_left) : nb::none();
  return level;
}

nb::list to_list(const std::vector<LevelSummary>& levels) {
  nb::list list;
  for (const LevelSummary& level : levels) list.append(to_dict(level));
  return list;
}

nb::list diagnostics_list(const std::vector<CoordinateDiagnostics>& diagnostics) {
  nb::list list;
  for (const CoordinateDiagnostics& d : diagnostics) {
    nb::dict dict;
    dict["name"] = d.name;
    dict["effective_sample_size"] = d.effective_sample_size;
    dict["mass_near_low"] = d.mass_near_low;
    dict["mass_near_high"] = d.mass_near_high;
    dict["r_hat"] = d.r_hat ? nb::cast(*d.r_hat) : nb::none();
    list.append(dict);
  }
  return list;
}

nb::dict to_dict(const Mode& mode) {
  nb::dict dict;
  dict["position"] = to_numpy(mode.position);
  dict["log_density"] = -mode.energy;
  dict["weight"] = mode.weight;
  dict["mean"] = to_numpy(mode.mean);
  dict["sd"] = to_numpy(mode.sd);
  dict["group_weights"] = mode.group_weights;
  dict["effective_sample_size"] = mode.effective_sample_size;
  return dict;
}

}  // namespace ta2s2::python
