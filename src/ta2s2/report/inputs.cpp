#include <algorithm>
#include <cmath>

#include "ta2s2/predictive/sensitivity.hpp"
#include "ta2s2/report/sections.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/next_runs.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"

namespace ta2s2::report {
namespace {

constexpr Index kFewestPaths = 40, kMostPaths = 200;  // functions drawn from the posterior

IntervalRow interval_row(const PosteriorInterval& interval) {
  return {interval.low, interval.median, interval.high};
}

std::string interactions_sentence(const Sensitivity& result) {
  const double together = 1.0 - result.additive.median;
  return together < 0.01 ? " Main effects alone make all but " + percent(std::max(together, 0.0), 2) +
                               " of the variance: inputs hardly interact."
                         : " Interactions make " + percent(together, 2) + " of the variance.";
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
  text += inert.empty() ? "; none is surely inert" : "; inert with probability 0.95 or more: " + join(inert, ", ");
  return text + (unsure.empty() ? "." : "; undecided: " + join(unsure, ", ") + ".") + interactions_sentence(result);
}

EffectCurve curve_of(const InputSensitivity& input, bool is_log) {
  EffectCurve curve{input.name, {}, is_log};
  for (Index g = 0; g < input.grid.size(); ++g) {
    curve.rows.push_back({input.grid[g], input.effect_mean[g], input.effect_low[g], input.effect_high[g]});
  }
  return curve;
}

double rise(const EffectCurve& curve) {
  double low = kInfinity, high = -kInfinity;
  for (const EffectPoint& point : curve.rows) {
    low = std::min<double>(low, point.mean);
    high = std::max<double>(high, point.mean);
  }
  return high - low;
}

double widest_band(const std::vector<EffectCurve>& curves) {
  double widest = 0.0;
  for (const EffectCurve& curve : curves) {
    for (const EffectPoint& point : curve.rows) widest = std::max(widest, point.high - point.low);
  }
  return widest;
}

std::string effects_sentence(const std::vector<EffectCurve>& curves, const std::string& output) {
  const auto steepest = std::max_element(curves.begin(), curves.end(),
                                         [](const EffectCurve& a, const EffectCurve& b) { return rise(a) < rise(b); });
  if (curves.size() == 1) {
    return "Look for where the 95% credible band is wide: there further runs would tell most. The curve is " + output +
           " over its one input; it moves by " + format_number(rise(*steepest), 3) + ".";
  }
  return "Look for curves that move: each shows " + output +
         " averaged over all other inputs, with its 95% credible band. Here " + steepest->name + " moves it most, by " +
         format_number(rise(*steepest), 3) + "." +
         (widest_band(curves) < 0.02 * rise(*steepest) ? " The bands are narrower than the lines." : "");
}

// ---- next runs ----

constexpr Index kCount = 5;
constexpr double kFewestDraws = 4, kMostDraws = 24;

// As many as take a few seconds. One costs a search along each input, of points that n^2 numbers are known of.
double affordable_draws(const OutputRuns& data) {
  return 2.4e6 / (std::pow(static_cast<double>(data.num_runs()), 2) * static_cast<double>(data.num_inputs()));
}

std::string command_of(const OutputRuns& data, Index draws) {
  return "ta2s2 next-runs model.json --output " + shell_word(data.output_name()) + " --count " +
         std::to_string(kCount) + " --draws " + std::to_string(draws) + " -o next.csv";
}

std::string next_runs_sentence(const std::vector<double>& variance, Index draws) {
  return "Look for gaps between the runs, and for inputs along which the triangles spread: there a run tells most. "
         "Here these " +
         std::to_string(kCount) +
         " runs, chosen together, are expected to lower the variance averaged over the ranges from " +
         format_number(variance.front(), 3) + " to " + format_number(variance.back(), 3) +
         ". The criterion (imse) is averaged over " + std::to_string(draws) + " draws.";
}

}  // namespace

Sensitivity sensitivity_of(const OutputRecord& output, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  const Predictive predictive = make_predictive(output);
  const InputDistributions uniform = uniform_inputs(predictive);
  SensitivityOptions options;
  options.num_paths = affordable(fit.data.num_runs(), kFewestPaths, kMostPaths);
  return summarise_sensitivity(analyse_sensitivity(predictive, uniform, options, executor), uniform,
                               fit.data.input_names(), predictive, activity_of(output, executor));
}

InputsSection inputs_section(const Sensitivity& result) {
  std::vector<const InputSensitivity*> ranked;
  for (const InputSensitivity& input : result.inputs) ranked.push_back(&input);
  std::stable_sort(ranked.begin(), ranked.end(), [](const InputSensitivity* a, const InputSensitivity* b) {
    return a->total.median > b->total.median;
  });
  InputsSection section{{},
                        kInertShare,
                        result.num_paths,
                        interval_row(result.additive),
                        result.notices,
                        importance_sentence(result, ranked)};
  for (const InputSensitivity* input : ranked) {
    section.rows.push_back({input->name, input - result.inputs.data(), interval_row(input->first),
                            interval_row(input->total), input->p_inert, input->p_active});
  }
  return section;
}

EffectsSection effects_section(const Sensitivity& result, const MemberRecord& fit) {
  EffectsSection section;
  for (std::size_t d = 0; d < result.inputs.size(); ++d) {
    section.inputs.push_back(curve_of(result.inputs[d], fit.scaling.is_log(static_cast<Index>(d))));
  }
  section.sentence = effects_sentence(section.inputs, fit.data.output_name());
  return section;
}

std::optional<NextRunsSection> next_runs_section(const OutputRecord& output, Executor& executor) {
  const OutputRuns& data = output.members.front().data;
  if (affordable_draws(data) < 0.1 * kFewestDraws) return std::nullopt;
  NextRunsOptions options;
  options.count = kCount;
  options.draws = static_cast<Index>(std::clamp(affordable_draws(data), kFewestDraws, kMostDraws));
  const NextRuns runs = next_runs(make_predictive(output), options, std::nullopt, executor);
  NextRunsSection section{data.input_names(),
                          {},
                          runs.draws,
                          runs.average_variance,
                          command_of(data, options.draws),
                          next_runs_sentence(runs.average_variance, runs.draws)};
  for (Index i = 0; i < runs.points.rows(); ++i) {
    const Vector at = runs.points.row(i);
    section.rows.push_back({i + 1, Numbers(at.begin(), at.end()), runs.mean[i], runs.sd[i], runs.values[i]});
  }
  return section;
}

}  // namespace ta2s2::report
