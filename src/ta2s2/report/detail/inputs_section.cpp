#include "ta2s2/report/detail/inputs_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/predictive/effects.hpp"
#include "ta2s2/report/detail/thinned_sample.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2::detail {
namespace {

constexpr Index kEffectDraws = 256;
constexpr Index kGridSize = 41;
constexpr Index kFewestPaths = 40, kMostPaths = 200;

// Functions drawn from the posterior: as many as take a few seconds.
Index affordable_paths(Index num_runs) {
  const double cube = std::pow(static_cast<double>(num_runs), 3);
  return static_cast<Index>(std::clamp<double>(1e10 / cube, kFewestPaths, kMostPaths));
}

Json interval_json(const PosteriorInterval& interval) {
  return {{"q025", shown(interval.low)}, {"q50", shown(interval.median)}, {"q975", shown(interval.high)}};
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string interactions_sentence(const Sensitivity& result) {
  const double together = 1.0 - result.additive.median;
  return together < 0.01 ? " Main effects alone make all but " + percent_text(std::max(together, 0.0), 2) +
                               " of the variance: inputs hardly interact."
                         : " Interactions make " + percent_text(together, 2) + " of the variance.";
}

std::string importance_sentence(const Sensitivity& result, const std::vector<const InputSensitivity*>& ranked) {
  if (ranked.size() == 1)
    return "Look for the largest, if there are several inputs: here one makes all of the variance.";
  std::vector<std::string> inert, unsure;
  for (const InputSensitivity* input : ranked) {
    if (input->p_inert >= 0.95) inert.push_back(input->name);
    if (input->p_inert >= 0.05 && input->p_inert < 0.95) unsure.push_back(input->name);
  }
  std::string text =
      "Look for inputs with a large total effect: they decide the output. Where the main effect is smaller, the input "
      "acts together with others. Here " +
      ranked.front()->name + " matters most";
  text += inert.empty() ? "; none is surely inert" : "; inert with probability 0.95 or more: " + listed(inert);
  return text + (unsure.empty() ? "." : "; undecided: " + listed(unsure) + ".") + interactions_sentence(result);
}

Json effect_json(const MainEffects& effects, const MemberRecord& fit, Index input) {
  const double low = fit.scaling.low()[input], width = fit.scaling.width()[input];
  Json rows = Json::array();
  for (Index g = 0; g < effects.grid.size(); ++g) {
    const StudentMixture effect = effects.at(input, g);
    rows.push_back({{"x", shown(low + width * effects.grid[g])},
                    {"mean", shown(effect.mean())},
                    {"low", shown(effect.quantile(0.025))},
                    {"high", shown(effect.quantile(0.975))}});
  }
  return {{"name", fit.data.input_names()[static_cast<std::size_t>(input)]}, {"rows", rows}};
}

double rise(const Json& effect) {
  double low = kInfinity, high = -kInfinity;
  for (const Json& row : effect.at("rows")) {
    low = std::min(low, row.at("mean").get<double>());
    high = std::max(high, row.at("mean").get<double>());
  }
  return high - low;
}

double widest_band(const Json& effects) {
  double widest = 0.0;
  for (const Json& effect : effects) {
    for (const Json& row : effect.at("rows")) {
      widest = std::max(widest, row.at("high").get<double>() - row.at("low").get<double>());
    }
  }
  return widest;
}

std::string main_effects_sentence(const Json& effects, const std::string& output) {
  const auto steepest =
      std::max_element(effects.begin(), effects.end(), [](const Json& a, const Json& b) { return rise(a) < rise(b); });
  if (effects.size() == 1) {
    return "Look for where the 95% credible band is wide: there further runs would tell most. The curve is " + output +
           " over its one input; it moves by " + number_text(rise(*steepest), 3) + ".";
  }
  return "Look for curves that move: each shows " + output +
         " averaged over all other inputs, with its 95% credible band. Here " +
         steepest->at("name").get<std::string>() + " moves it most, by " + number_text(rise(*steepest), 3) + "." +
         (widest_band(effects) < 0.02 * rise(*steepest) ? " The bands are narrower than the lines." : "");
}

}  // namespace

Json inputs_json(const OutputRecord& output, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  const Predictive predictive = make_predictive(output);
  const InputDistributions uniform = uniform_inputs(predictive);
  SensitivityOptions options;
  options.num_paths = affordable_paths(fit.data.num_runs());
  const Sensitivity result = summarise_sensitivity(analyse_sensitivity(predictive, uniform, options, executor), uniform,
                                                   fit.data.input_names(), predictive);
  std::vector<const InputSensitivity*> ranked;
  for (const InputSensitivity& input : result.inputs) ranked.push_back(&input);
  std::stable_sort(ranked.begin(), ranked.end(), [](const InputSensitivity* a, const InputSensitivity* b) {
    return a->total.median > b->total.median;
  });
  Json rows = Json::array();
  for (const InputSensitivity* input : ranked) {
    const auto column = input - result.inputs.data();
    rows.push_back({{"name", input->name},
                    {"column", column},
                    {"first", interval_json(input->first)},
                    {"total", interval_json(input->total)},
                    {"p_inert", shown(input->p_inert)}});
  }
  return {{"rows", rows},
          {"inert_below", kInertShare},
          {"paths", result.num_paths},
          {"additive", interval_json(result.additive)},
          {"notices", result.notices},
          {"sentence", importance_sentence(result, ranked)}};
}

Json main_effects_json(const OutputRecord& output, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  const MainEffects effects =
      main_effects(thinned_emulator(output, kEffectDraws, Thinning::effects), kGridSize, executor);
  Json inputs = Json::array();
  for (Index d = 0; d < fit.data.num_inputs(); ++d) inputs.push_back(effect_json(effects, fit, d));
  return {{"inputs", inputs}, {"sentence", main_effects_sentence(inputs, fit.data.output_name())}};
}

}  // namespace ta2s2::detail
