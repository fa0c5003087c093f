#include "ta2s2/report/detail/inputs_section.hpp"

#include <algorithm>

#include "ta2s2/emulator/effects.hpp"
#include "ta2s2/report/detail/thinned_sample.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::detail {
namespace {

constexpr Index kEffectDraws = 256;
constexpr Index kGridSize = 41;

Emulator effects_emulator(const FitRecord& fit) {
  return make_emulator(fit, thinned_sample(fit, kEffectDraws, Thinning::effects));
}

Json quantiles_json(const Vector& values, const Vector& weights) {
  const std::vector<double> q = weighted_quantiles(values, weights, {0.025, 0.25, 0.5, 0.75, 0.975});
  return {{"q025", q[0]}, {"q25", q[1]}, {"q50", q[2]}, {"q75", q[3]}, {"q975", q[4]}};
}

double weight_where(const Vector& values, const Vector& weights, double below) {
  return (values.array() < below).cast<double>().matrix().dot(weights);
}

std::string inert_sentence(const Json& inputs) {
  if (inputs.size() == 1)
    return "Look for the largest, if there are several inputs: here one makes all of the variance.";
  std::string inert, unsure;
  for (const Json& input : inputs) {
    const double chance = input.at("p_inert");
    const std::string name = input.at("name");
    if (chance >= 0.95) inert += (inert.empty() ? "" : ", ") + name;
    if (chance >= 0.05 && chance < 0.95) unsure += (unsure.empty() ? "" : ", ") + name;
  }
  std::string text = "Look for inputs with a large total effect: they decide the output. Here " +
                     inputs.front().at("name").get<std::string>() + " matters most";
  text += inert.empty() ? "; none is surely inert" : "; inert with probability 0.95 or more: " + inert;
  return text + (unsure.empty() ? "." : "; undecided: " + unsure + ".");
}

std::string length_scale_sentence(const Json& inputs) {
  const auto shortest = std::min_element(inputs.begin(), inputs.end(), [](const Json& a, const Json& b) {
    return a.at("length_in_ranges").at("q50") < b.at("length_in_ranges").at("q50");
  });
  return "Look for short length-scales: along them the output bends most. One that is much longer than the input's "
         "range, "
         "right of the line, means that the output is flat or straight along that input. Here the shortest is that "
         "of " +
         shortest->at("name").get<std::string>() + ", " + number_text(shortest->at("length_in_ranges").at("q50"), 2) +
         " of its range.";
}

std::string nugget_sentence(const Json& nugget) {
  const double high = nugget.at("q975");
  const std::string what = "Look for a small nugget if the simulator is deterministic: it is the share of noise. ";
  if (high < 1e-4) return what + "Here it is below 0.0001: the emulator passes through its runs.";
  return what + "Here up to " + percent_text(high, 2) +
         " of the process variance may be noise, or detail that the runs do not resolve.";
}

Json effect_json(const MainEffects& effects, const FitRecord& fit, Index input) {
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

Json inputs_json(const FitRecord& fit, Executor& executor) {
  const Index p = fit.data.num_inputs();
  const Emulator emulator = effects_emulator(fit);
  // An estimate may exceed 1, a share cannot.
  const Matrix effects = total_effects(emulator, kEffectPoints, executor).cwiseMin(1.0);
  const Matrix draws = draw_rows(fit);
  const Vector& weights = fit.sample.weights;
  std::vector<Json> inputs;
  for (Index d = 0; d < p; ++d) {
    const Vector lengths = draws.col(p + d);
    inputs.push_back({{"name", fit.data.input_names()[static_cast<std::size_t>(d)]},
                      {"column", d},
                      {"low", fit.scaling.low()[d]},
                      {"high", fit.scaling.low()[d] + fit.scaling.width()[d]},
                      {"length_scale", quantiles_json(lengths, weights)},
                      {"length_in_ranges", quantiles_json(lengths / fit.scaling.width()[d], weights)},
                      {"total_effect", quantiles_json(effects.col(d), emulator.weights())},
                      {"p_inert", shown(weight_where(effects.col(d), emulator.weights(), kInertShare))}});
  }
  std::stable_sort(inputs.begin(), inputs.end(), [](const Json& a, const Json& b) {
    return a.at("total_effect").at("q50") > b.at("total_effect").at("q50");
  });
  const Json rows = inputs;
  return {{"rows", rows},
          {"inert_below", kInertShare},
          {"draws", emulator.num_draws()},
          {"sentences", {{"importance", inert_sentence(rows)}, {"length_scales", length_scale_sentence(rows)}}}};
}

Json nugget_json(const FitRecord& fit) {
  const Index p = fit.data.num_inputs();
  const Vector nuggets = draw_rows(fit).col(2 * p);
  Json json = quantiles_json(nuggets, fit.sample.weights);
  json["is_sampled"] = make_space(fit.data, fit.options).samples_nugget();
  json["sentence"] = nugget_sentence(json);
  return json;
}

Json main_effects_json(const FitRecord& fit, Executor& executor) {
  const MainEffects effects = main_effects(effects_emulator(fit), kGridSize, executor);
  Json inputs = Json::array();
  for (Index d = 0; d < fit.data.num_inputs(); ++d) inputs.push_back(effect_json(effects, fit, d));
  return {{"inputs", inputs}, {"sentence", main_effects_sentence(inputs, fit.data.output_name())}};
}

}  // namespace ta2s2::detail
