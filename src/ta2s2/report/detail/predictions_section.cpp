#include "ta2s2/report/detail/predictions_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/workflow/judge_limits.hpp"
#include "ta2s2/workflow/left_out.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/summary.hpp"

namespace ta2s2::detail {
namespace {

// More runs than this are thinned for display; scores are those of all.
constexpr Index kMostShown = 500;

double variance(const Vector& values) {
  return (values.array() - values.mean()).square().mean();
}

Json scores_json(const std::vector<JudgedRun>& runs) {
  const RunScores scores = total_scores(runs);
  return {{"runs", scores.n},
          {"rmse", scores.rmse},
          {"crps", scores.crps},
          {"nlpd", scores.nlpd},
          {"interval_score_95", scores.interval_score},
          {"coverage_95", scores.coverage_95}};
}

Json coverage_json(const JudgedPredictions& runs) {
  Json rows = Json::array();
  const auto n = static_cast<Index>(runs.posterior.size());
  for (int i = 1; i <= 20; ++i) {
    const double level = i == 20 ? 0.99 : 0.05 * i;
    const CountBand band = runs.chance.of(n, central_range(level)).band(0.95);
    const auto share = [&](Index count) { return shown(static_cast<double>(count) / static_cast<double>(n)); };
    rows.push_back({{"level", shown(level)},
                    {"observed", share(num_covered(runs.posterior, level))},
                    {"map", share(num_covered(runs.map, level))},
                    {"low", share(band.low)},
                    {"high", share(band.high)}});
  }
  return rows;
}

Json pit_json(const JudgedPredictions& runs) {
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index bins = n >= 80 ? 10 : 5;
  const double share = 1.0 / static_cast<double>(bins);
  Json rows = Json::array();
  for (Index b = 0; b < bins; ++b) {
    const double from = share * static_cast<double>(b), to = share * static_cast<double>(b + 1);
    const bool is_last = b == bins - 1;
    const CountBand band = runs.chance.of(n, {from, to}).band(0.95);
    const Index count = std::count_if(runs.posterior.begin(), runs.posterior.end(), [&](const JudgedRun& run) {
      return run.pit >= from && (run.pit < to || is_last);
    });
    rows.push_back({{"from", shown(from)}, {"to", shown(to)}, {"runs", count}, {"low", band.low}, {"high", band.high}});
  }
  return {{"bins", rows}};
}

// How the grey band was made, and what follows for who reads it.
std::string band_sentence(const JudgedPredictions& runs) {
  if (runs.chance.is_simulated()) {
    return " The band is simulated from the emulator's joint predictions, in which runs near one another err together.";
  }
  return " The band takes the runs for independent. They share one emulator, so it is a guide: a right emulator's line "
         "leaves it somewhere in about 1 report of 3.";
}

std::string coverage_sentence(const JudgedPredictions& runs) {
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index inside = num_covered(runs.posterior, 0.95);
  const CountBand band = runs.chance.of(n, central_range(0.95)).band(0.95);
  const std::string what = "Look for a line inside the grey band, which is what chance allows at each level. Here " +
                           std::to_string(inside) + " of " + counted(n, "run") + " lie in their 95% intervals; ";
  const std::string range =
      band.low == band.high ? std::to_string(band.low) : std::to_string(band.low) + " to " + std::to_string(band.high);
  const char* verdict = inside < band.low    ? "the intervals are too narrow."
                        : inside > band.high ? "the intervals are wider than needed."
                                             : "the intervals say what they should.";
  return what + range + " were expected: " + verdict + band_sentence(runs);
}

// Whether a reader sees the points but not their intervals, which are shorter than one part in fifty of the axis.
bool has_hidden_intervals(const JudgedPredictions& runs) {
  const double spread = std::sqrt(12.0 * runs.output_variance);  // of a uniform output
  const Index hidden = std::count_if(runs.posterior.begin(), runs.posterior.end(),
                                     [&](const JudgedRun& run) { return run.high - run.low < 0.02 * spread; });
  return 2 * hidden > static_cast<Index>(runs.posterior.size());
}

std::string truth_sentence(const JudgedPredictions& runs, const std::string& which) {
  const std::string text =
      "Look for points on the diagonal, and for bars that reach it. Here the predicted means explain " +
      percent_text(runs.explained()) + " of the variance of the " + which + ".";
  return text + (has_hidden_intervals(runs) ? " Most intervals are shorter than the points: see the residuals." : "");
}

std::string residual_sentence(const std::vector<JudgedRun>& runs) {
  const auto worst = std::max_element(runs.begin(), runs.end(), [](const JudgedRun& a, const JudgedRun& b) {
    return std::abs(a.standardised()) < std::abs(b.standardised());
  });
  const Index far =
      std::count_if(runs.begin(), runs.end(), [](const JudgedRun& run) { return std::abs(run.standardised()) > 2.0; });
  return "Look for points without a pattern, about 1 in 20 of them beyond the lines at 2. Here " + std::to_string(far) +
         " of " + std::to_string(runs.size()) + (far == 1 ? " is" : " are") + "; the farthest is run " +
         std::to_string(worst->number) + " at " + number_text(worst->standardised(), 3) + ".";
}

std::string pit_sentence(const JudgedPredictions& runs) {
  const Json pit = pit_json(runs);
  Index outside = 0;
  for (const Json& bin : pit.at("bins")) {
    outside += bin.at("runs") < bin.at("low") || bin.at("runs") > bin.at("high") ? 1 : 0;
  }
  const std::string what =
      "Look for bars of about one height: a hump means intervals too wide, a valley too narrow, a slope a bias. Here ";
  if (outside == 0) return what + "every bar is within what chance allows.";
  return what + std::to_string(outside) + " of " + std::to_string(pit.at("bins").size()) + " bars " +
         (outside == 1 ? "lies" : "lie") + " outside what chance allows it 19 times in 20.";
}

std::string scores_sentence(const JudgedPredictions& runs) {
  const double posterior = total_scores(runs.posterior).crps, map = total_scores(runs.map).crps;
  std::string text =
      "Look at the CRPS, in the output's units: it rewards predictions that are close and honest about "
      "their error. Here the posterior's is " +
      number_text(posterior, 3) + ", ";
  const double change = std::abs(posterior - map) / map;
  text += change < 0.005 ? "the same as the plug-in MAP's."
                         : percent_text(change, 2) + (posterior < map ? " less" : " more") + " than the plug-in MAP's.";
  return text;
}

// The residuals together, where each of them may look right.
std::string distance_sentence(const Mahalanobis& distance) {
  const std::string range = number_text(distance.low, 3) + " to " + number_text(distance.high, 3);
  const std::string here = " The Mahalanobis distance looks at all residuals together; chance allows " + range +
                           ", here it is " + number_text(distance.squared, 3) + ": ";
  if (distance.squared > distance.high) return here + "neighbouring runs differ more than the emulator says.";
  if (distance.squared < distance.low) return here + "neighbouring runs differ less than the emulator says.";
  return here + "as it should be.";
}

Json run_json(const JudgedRun& run) {
  return {{"run", run.number},
          {"observed", shown(run.observed)},
          {"mean", shown(run.mean)},
          {"sd", shown(run.sd)},
          {"low", shown(run.low)},
          {"high", shown(run.high)},
          {"residual", shown(run.standardised())},
          {"pit", shown(run.pit)}};
}

Json distance_json(const Mahalanobis& distance) {
  return {{"squared", shown(distance.squared)}, {"low", shown(distance.low)}, {"high", shown(distance.high)}};
}

Json predictions_json(const JudgedPredictions& runs, const std::string& which) {
  const std::string together = runs.distance ? distance_sentence(*runs.distance) : "";
  return {{"scores", {{"posterior", scores_json(runs.posterior)}, {"map", scores_json(runs.map)}}},
          {"explained", shown(runs.explained())},
          {"coverage", coverage_json(runs)},
          {"pit", pit_json(runs)},
          {"mahalanobis", runs.distance ? Json{{"posterior", distance_json(*runs.distance)},
                                               {"map", distance_json(*runs.map_distance)}}
                                        : Json()},
          {"sentences",
           {{"scores", scores_sentence(runs) + together},
            {"truth", truth_sentence(runs, which)},
            {"residuals", residual_sentence(runs.posterior)},
            {"pit", pit_sentence(runs)},
            {"coverage", coverage_sentence(runs)}}}};
}

Index display_step(Index num_runs) {
  return (num_runs + kMostShown - 1) / kMostShown;
}

void add_rows(Json& json, const Json& rows, Index step) {
  json["runs"] = rows;
  json["shown"] = rows.size();
  json["is_thinned"] = step > 1;
}

std::string k_hat_sentence(const LeftOutPredictions& left_out) {
  const auto above = [&](double limit) {
    return std::count_if(left_out.k_hat.begin(), left_out.k_hat.end(), [&](double k) { return k > limit; });
  };
  const auto largest = std::max_element(left_out.k_hat.begin(), left_out.k_hat.end());
  const Index number = left_out.runs.posterior[static_cast<std::size_t>(largest - left_out.k_hat.begin())].number;
  const std::string what =
      "Look for runs above 0.7: without one of them the posterior would be so different that few draws carry its "
      "left-out prediction. Up to 0.5 all is well. Here ";
  const std::string worst = "the largest is " + number_text(*largest, 2) + ", of run " + std::to_string(number);
  const Index n = static_cast<Index>(left_out.k_hat.size()), bad = above(JudgeLimits::largest_shape);
  const Index middling = above(kGoodShape) - bad;
  if (bad + middling == 0) return what + worst + ": every left-out prediction can be relied on.";
  const std::string counts = std::to_string(bad) + " of " + counted(n, "run") + (bad == 1 ? " is" : " are") +
                             " above 0.7 and " + std::to_string(middling) + " between 0.5 and 0.7; " + worst;
  return what + counts + (bad == 0 ? ": all can be used." : ": do not judge the emulator by these runs.");
}

Index num_draws(const OutputRecord& output) {
  Index sum = 0;
  for (const MemberRecord& fit : output.members) sum += fit.sample.size();
  return sum;
}

std::string how_left_out(const OutputRecord& output, const LeftOutPredictions& left_out) {
  std::string text = "No refit: " + std::to_string(left_out.num_draws) + " of " + std::to_string(num_draws(output)) +
                     " draws are weighed anew as if they had not seen the run, and the weights Pareto-smoothed.";
  if (output.weighting == "evidence") text += " Models gain or lose weight with their draws.";
  if (output.weighting == "stacking") {
    text +=
        " The models keep their weights, which were chosen to predict these runs well: scores are a little optimistic.";
  }
  if (output.weighting == "equal") text += " The models keep their weights.";
  return text + " The plug-in MAP stays that of all runs, so that its scores here are optimistic.";
}

Json k_hats_json(const LeftOutPredictions& left_out) {
  if (left_out.k_hat.empty()) return {};
  return {{"good", kGoodShape}, {"largest", JudgeLimits::largest_shape}, {"sentence", k_hat_sentence(left_out)}};
}

}  // namespace

double JudgedPredictions::explained() const {
  return output_variance > 0.0 ? 1.0 - std::pow(total_scores(posterior).rmse, 2) / output_variance : 0.0;
}

Index LeftOutPredictions::num_unreliable() const {
  return std::count_if(k_hat.begin(), k_hat.end(), [](double k) { return k > JudgeLimits::largest_shape; });
}

LeftOutPredictions predict_left_out(const OutputRecord& output, Executor& executor) {
  const LeftOutRuns of_posterior = left_out_runs(output, executor);
  const LeftOutRuns of_map = leave_one_out(make_plug_in(output), 1.0, executor);
  LeftOutPredictions result;
  const MemberRecord& fit = output.members.front();
  const Vector& outputs = fit.data.output();
  result.runs.posterior = judge_left_out(of_posterior, outputs, executor);
  result.runs.map = judge_left_out(of_map, outputs, executor);
  result.runs.output_variance = variance(outputs);
  result.num_draws = of_posterior.weights.rows();
  result.facts = output.left_out ? *output.left_out : find_left_out_facts(of_posterior, output, executor);
  for (Index i = 0; i < of_posterior.num_runs(); ++i) {
    const auto run = static_cast<std::size_t>(i);
    if (!of_posterior.is_known[run]) result.cannot_miss.push_back(i + 1);
    if (of_posterior.is_known[run] && fit.has_sample()) result.k_hat.push_back(of_posterior.k_hat[run]);
  }
  return result;
}

ValidationPredictions predict_validation(const OutputRecord& output, const OutputRuns& validation, Executor& executor) {
  const MemberRecord& fit = output.members.front();
  const Matrix unit = fit.scaling.to_unit(validation.inputs());
  ValidationPredictions result;
  for (Index i = 0; i < unit.rows(); ++i) {
    const double beyond = std::max(-unit.row(i).minCoeff(), unit.row(i).maxCoeff() - 1.0);
    result.is_outside.push_back(beyond > 0.0);
    result.farthest = std::max(result.farthest, beyond);
  }
  const Matrix& inputs = validation.inputs();
  const Vector& outputs = validation.output();
  result.runs.posterior = judge_validation(make_predictive(output), inputs, outputs, executor);
  result.runs.map = judge_validation(make_plug_in(output), inputs, outputs, executor);
  result.runs.output_variance = variance(outputs);
  JointReplicates joint = replicate_jointly(output, validation, executor);
  const std::uint64_t seed = fit.options.annealing.seed;
  result.runs.chance = std::move(joint.chance);
  result.runs.distance = joint.distance;
  result.runs.map_distance = replicate_jointly(make_plug_in(output), inputs, outputs, seed, executor).distance;
  result.num_joint = joint.num_points;
  return result;
}

Json left_out_json(const OutputRecord& output, const LeftOutPredictions& predictions) {
  if (predictions.runs.posterior.empty()) return {};
  Json json = predictions_json(predictions.runs, "runs, each left out in turn");
  json["draws"] = predictions.num_draws;
  json["all_draws"] = num_draws(output);
  json["how"] = how_left_out(output, predictions);
  json["unreliable"] = predictions.num_unreliable();
  json["cannot_miss"] = predictions.cannot_miss;
  const auto n = static_cast<Index>(predictions.runs.posterior.size());
  const Index step = display_step(n);
  Json rows = Json::array();
  for (Index i = 0; i < n; i += step) {
    const auto run = static_cast<std::size_t>(i);
    Json row = run_json(predictions.runs.posterior[run]);
    if (!predictions.k_hat.empty()) row["k_hat"] = shown(predictions.k_hat[run]);
    rows.push_back(row);
  }
  add_rows(json, rows, step);
  json["k_hats"] = k_hats_json(predictions);
  return json;
}

Json validation_json(const ValidationPredictions& predictions) {
  Json json = predictions_json(predictions.runs, "validation runs");
  const auto n = static_cast<Index>(predictions.runs.posterior.size());
  const Index step = display_step(n);
  Json rows = Json::array();
  for (Index i = 0; i < n; i += step) {
    Json row = run_json(predictions.runs.posterior[static_cast<std::size_t>(i)]);
    row["is_outside"] = static_cast<bool>(predictions.is_outside[static_cast<std::size_t>(i)]);
    rows.push_back(row);
  }
  add_rows(json, rows, step);
  json["num_joint"] = predictions.num_joint;
  json["outside"] = std::count(predictions.is_outside.begin(), predictions.is_outside.end(), true);
  return json;
}

}  // namespace ta2s2::detail
