#include "ta2s2/experiments/systems.hpp"

#include <algorithm>

#include "ta2s2/error.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {

const std::vector<System>& systems() {
  static const std::vector<System> table = {
      {.name = "exact", .settings = {}, .is_default = true, .takes_our_model = true},
      {.name = "published", .settings = {{"sampler", "published"}}, .is_default = true},
      {.name = "map", .settings = {}, .is_default = true, .is_map = true},
      // As many particles as its authors', each moved more often than theirs: a run's information arrives run by run.
      {.name = "plgp",
       .settings = {{"sampler", "plgp"}, {"samples", "1000"}, {"chain-length", "3"}},
       .is_default = true,
       .takes_our_model = true},
      {.name = "tmcmc", .settings = {{"sampler", "tmcmc"}}},
      {.name = "aims", .settings = {{"sampler", "aims"}}},
      {.name = "slice", .settings = {{"sampler", "slice"}}},
      {.name = "elliptical", .settings = {{"sampler", "elliptical"}}},
      {.name = "nuts", .settings = {{"sampler", "nuts"}}, .needs_gradient = true},
  };
  return table;
}

std::vector<System> choose_systems(const std::string& list) {
  const std::vector<std::string> asked = list.empty() ? std::vector<std::string>{} : split(list, ',');
  std::string known;
  for (const System& system : systems()) known += (known.empty() ? "" : ", ") + system.name;
  for (const std::string& name : asked) {
    const auto is_it = [&](const System& system) { return system.name == name; };
    if (name != "all" && std::none_of(systems().begin(), systems().end(), is_it)) {
      throw Error(ErrorCode::usage, "--systems: found \"" + name + "\", expected all or some of " + known);
    }
  }
  const auto is_asked = [&](const std::string& name) {
    return std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  std::vector<System> chosen;
  for (const System& system : systems()) {
    if (asked.empty() ? system.is_default : is_asked("all") || is_asked(system.name)) chosen.push_back(system);
  }
  return chosen;
}

}  // namespace ta2s2
