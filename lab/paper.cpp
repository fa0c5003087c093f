#include "lab/paper.hpp"

#include <algorithm>

#include "ta2s2/base/text.hpp"
#include "ta2s2/error.hpp"

namespace ta2s2::lab {

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
  for (const std::string& name : asked) {
    const auto is_it = [&](const System& system) { return system.name == name; };
    if (name != "all" && std::none_of(systems().begin(), systems().end(), is_it)) {
      throw Error(ErrorCode::usage,
                  "--systems: found \"" + name + "\", expected all or some of " + join(systems(), ", ", &System::name));
    }
  }
  std::vector<System> chosen;
  for (const System& system : systems()) {
    if (asked.empty() ? system.is_default : contains(asked, "all") || contains(asked, system.name))
      chosen.push_back(system);
  }
  return chosen;
}

namespace {

std::vector<Setting> with(std::vector<Setting> settings, const std::vector<Setting>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

PriorGroup group(const std::string& name, const std::string& prior, const std::string& samples) {
  return {name, with(paper_model(), {{"prior", prior}, {"samples", samples}})};
}

// The paper's comparison with PLGP: rate 0.2 for the length-scales and for the nugget.
PriorGroup exponential(const std::string& samples) {
  PriorGroup result = group("exponential", "exponential(0.2)", samples);
  result.settings.push_back({"nugget", "exponential(0.2)"});
  return result;
}

const PriorGroup kDefaults{"default", {}, false};

// Designs 1 to 5 and the test runs are those of examples/data, whose scores are on record; later ones are drawn.
TestProblem simulated_problem(const std::string& name, const std::string& file, Index num_runs, int design) {
  const Simulator& simulator = find_simulator(name);
  std::optional<OutputRuns> shipped = shipped_runs(simulator, file + "_train_" + std::to_string(design));
  return {
      shipped ? *std::move(shipped) : simulate_training_runs(simulator, num_runs, static_cast<std::uint64_t>(design)),
      shipped_runs(simulator, file + "_test").value()};
}

}  // namespace

std::vector<Setting> paper_model() {
  return {{"correlation", "squared-exponential"}, {"trend", "none"}, {"nugget", "uniform"}, {"box", "-7,7"}};
}

const std::vector<PaperExperiment>& paper_experiments() {
  static const std::vector<PaperExperiment> table = {
      {"franke",
       {group("reference", "reference", "2000"), exponential("2000"), kDefaults},
       true,
       [](int design, const std::filesystem::path&) { return simulated_problem("franke", "franke", 20, design); }},
      {"nilson-kuusk",
       {group("reference", "reference", "5000"), exponential("5000"), kDefaults},
       false,
       [](int, const std::filesystem::path& data) { return load_nilson_kuusk(data); }},
      {"wing-weight",
       {group("log-uniform", "log-uniform", "5000"), exponential("5000"), group("reference", "reference", "5000"),
        kDefaults},
       true,
       [](int design, const std::filesystem::path&) {
         return simulated_problem("wing-weight", "wing_weight", 100, design);
       }},
  };
  return table;
}

}  // namespace ta2s2::lab
