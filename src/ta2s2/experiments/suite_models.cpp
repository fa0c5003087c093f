#include <algorithm>

#include "ta2s2/error.hpp"
#include "ta2s2/experiments/suite.hpp"
#include "ta2s2/gp/spec.hpp"

namespace ta2s2 {
namespace {

template <class Named>
std::string all_names(const std::vector<Named>& table) {
  std::string names;
  for (const Named& entry : table) names += (names.empty() ? "" : ", ") + entry.name;
  return names;
}

const std::vector<std::string> kCorrelations = {"squared-exponential", "matern52", "matern32",
                                                "power-exponential(1.9)"};

SuiteModel average(const std::string& name, const std::vector<std::string>& correlations, Weighting weighting) {
  return {name, {}, SuiteAverage{"correlation", correlations, weighting}};
}

}  // namespace

// Each differs from the base model in one way, or is a combination that others use.
const std::vector<SuiteModel>& suite_models() {
  static const std::vector<SuiteModel> table = {
      average(kDefaultModel, FitOptions().average_over, FitOptions().weighting),
      {kBaseModel, {}},
      {"squared-exponential", {{"correlation", "squared-exponential"}}},
      {"matern32", {{"correlation", "matern32"}}},
      {"power-exponential", {{"correlation", "power-exponential(1.9)"}}},
      {"rational", {{"correlation", "rational(0)"}}},
      {"rational-half", {{"correlation", "rational(0.5)"}}},
      {"no-trend", {{"trend", "none"}}},
      {"linear-trend", {{"trend", "linear"}}},
      {"tiny-nugget", {{"nugget", "fixed(1e-8)"}}},
      {"uniform-nugget", {{"nugget", "uniform"}}},
      {"reference-prior", {{"prior", "reference"}}},
      {"log-uniform-prior", {{"prior", "log-uniform"}}},
      {"squared-exponential-linear", {{"correlation", "squared-exponential"}, {"trend", "linear"}}},
      {"paper",
       {{"correlation", "squared-exponential"}, {"trend", "none"}, {"nugget", "uniform"}, {"prior", "reference"}}},
      average("average-equal", kCorrelations, Weighting::equal),
      average("average-evidence", kCorrelations, Weighting::evidence),
      average("average-stacking", kCorrelations, Weighting::stacking),
      average("structures-equal", kStructureCorrelations, Weighting::equal),
      average("structures-evidence", kStructureCorrelations, Weighting::evidence),
      average("two-equal", FitOptions().average_over, Weighting::equal),
      average("two-stacking", FitOptions().average_over, Weighting::stacking),
  };
  return table;
}

std::vector<SuiteModel> choose_suite_models(const std::string& list) {
  if (list == "all") return suite_models();
  std::vector<SuiteModel> chosen;
  for (const std::string& name : split(list, ',')) {
    const auto found = std::find_if(suite_models().begin(), suite_models().end(),
                                    [&](const SuiteModel& model) { return model.name == name; });
    if (found == suite_models().end()) {
      throw Error(ErrorCode::usage,
                  "--models: found \"" + name + "\", expected all or some of " + all_names(suite_models()));
    }
    const bool is_new =
        std::none_of(chosen.begin(), chosen.end(), [&](const SuiteModel& model) { return model.name == name; });
    if (is_new) chosen.push_back(*found);
  }
  return chosen;
}

SuiteModel parse_suite_model(const std::string& text) {
  SuiteModel model{text, {}};
  for (const std::string& part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      throw Error(ErrorCode::usage, "--model: found \"" + part + "\", expected setting=value;setting=value");
    }
    model.settings.push_back({trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1))});
  }
  for (const Setting& setting : model.settings) {
    if (setting.name != "seed") continue;
    throw Error(ErrorCode::usage, "--model " + text + ": the suite sets the seed; use --seed");
  }
  try {
    FitOptions options;
    apply_settings(options, model.settings);
    ValidFitOptions{options};
  } catch (const Error& error) {
    throw Error(error.code(), "--model " + text + ": " + error.what());
  }
  return model;
}

std::vector<Simulator> choose_suite_functions(const std::string& list) {
  std::vector<Simulator> chosen;
  if (list.empty()) {
    for (const Simulator& simulator : simulators()) {
      if (simulator.name != "franke" && simulator.name != "wing-weight") chosen.push_back(simulator);
    }
    return chosen;
  }
  for (const std::string& name : split(list, ',')) chosen.push_back(find_simulator(name));
  return chosen;
}

std::vector<Index> suite_sizes(Index num_inputs) {
  return {std::clamp<Index>(5 * num_inputs, 10, 100), std::clamp<Index>(10 * num_inputs, 20, 150)};
}

}  // namespace ta2s2
