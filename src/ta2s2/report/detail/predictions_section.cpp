#include "ta2s2/report/detail/predictions_section.hpp"

#include <algorithm>
#include <cmath>

#include "ta2s2/report/detail/binomial_band.hpp"
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
    const CountBand band = binomial_band(n, level, 0.95);
    const auto share = [&](Index count) { return shown(static_cast<double>(count) / static_cast<double>(n)); };
    rows.push_back({{"level", shown(level)},
                    {"observed", share(num_covered(runs.posterior, level))},
                    {"map", share(num_covered(runs.map, level))},
                    {"low", share(band.low)},
                    {"high", share(band.high)}});
  }
  return rows;
}

Json pit_json(const std::vector<JudgedRun>& runs) {
  const auto n = static_cast<Index>(runs.size());
  const Index bins = n >= 80 ? 10 : 5;
  std::vector<Index> counts(static_cast<std::size_t>(bins), 0);
  for (const JudgedRun& run : runs) {
    ++counts[static_cast<std::size_t>(std::min(bins - 1, static_cast<Index>(run.pit * static_cast<double>(bins))))];
  }
  const double share = 1.0 / static_cast<double>(bins);
  const CountBand band = binomial_band(n, share, 0.95);
  Json rows = Json::array();
  for (Index b = 0; b < bins; ++b) {
    rows.push_back({{"from", shown(share * static_cast<double>(b))},
                    {"to", shown(share * static_cast<double>(b + 1))},
                    {"runs", counts[static_cast<std::size_t>(b)]}});
  }
  return {{"bins", rows}, {"low", band.low}, {"high", band.high}};
}

std::string coverage_sentence(const JudgedPredictions& runs) {
  const auto n = static_cast<Index>(runs.posterior.size());
  const Index inside = num_covered(runs.posterior, 0.95);
  const CountBand band = binomial_band(n, 0.95, 0.95);
  const std::string what = "Look for a line inside the grey band, which is what chance allows. Here " +
                           std::to_string(inside) + " of " + counted(n, "run") + " lie in their 95% intervals; ";
  const std::string range =
      band.low == band.high ? std::to_string(band.low) : std::to_string(band.low) + " to " + std::to_string(band.high);
  if (inside < band.low) return what + range + " were expected: the intervals are too narrow.";
  if (inside > band.high) return what + range + " were expected: the intervals are wider than needed.";
  return what + range + " were expected: the intervals say what they should.";
}

std::string truth_sentence(const JudgedPredictions& runs, const std::string& which) {
  return "Look for points on the diagonal, and for bars that reach it. Here the predicted means explain " +
         percent_text(runs.explained()) + " of the variance of the " + which + ".";
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

std::string pit_sentence(const std::vector<JudgedRun>& runs) {
  const Json pit = pit_json(runs);
  Index outside = 0;
  for (const Json& bin : pit.at("bins")) {
    outside += bin.at("runs") < pit.at("low") || bin.at("runs") > pit.at("high") ? 1 : 0;
  }
  const std::string what =
      "Look for bars of about one height: a hump means intervals too wide, a valley too narrow, a slope a bias. Here ";
  if (outside == 0) return what + "every bar is within what chance allows.";
  return what + std::to_string(outside) + " of " + std::to_string(pit.at("bins").size()) +
         " bars lie outside the band, where chance leaves 1 in 20.";
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

Json predictions_json(const JudgedPredictions& runs, const std::string& which) {
  return {{"scores", {{"posterior", scores_json(runs.posterior)}, {"map", scores_json(runs.map)}}},
          {"explained", shown(runs.explained())},
          {"coverage", coverage_json(runs)},
          {"pit", pit_json(runs.posterior)},
          {"sentences",
           {{"truth", truth_sentence(runs, which)},
            {"residuals", residual_sentence(runs.posterior)},
            {"pit", pit_sentence(runs.posterior)},
            {"coverage", coverage_sentence(runs)}}}};
}

}  // namespace

double JudgedPredictions::explained() const {
  return output_variance > 0.0 ? 1.0 - std::pow(total_scores(posterior).rmse, 2) / output_variance : 0.0;
}

Index LeftOutPredictions::num_unreliable() const {
  return std::count_if(k_hat.begin(), k_hat.end(), [](double k) { return k > kLargestShape; });
}

LeftOutPredictions predict_left_out(const FitRecord& fit, Executor& executor) {
  const LeftOutRuns of_posterior = left_out_runs(fit, executor);
  const LeftOutRuns of_map = leave_one_out(make_map_emulator(fit), 1.0, executor);
  LeftOutPredictions result;
  const Vector& outputs = fit.data.output();
  result.runs = {judge_left_out(of_posterior, outputs, executor), judge_left_out(of_map, outputs, executor),
                 variance(outputs)};
  result.num_draws = of_posterior.weights.rows();
  for (Index i = 0; i < of_posterior.num_runs(); ++i) {
    const auto run = static_cast<std::size_t>(i);
    if (!of_posterior.is_known[run]) result.cannot_miss.push_back(i + 1);
    if (of_posterior.is_known[run] && fit.has_sample()) result.k_hat.push_back(of_posterior.k_hat[run]);
  }
  return result;
}

ValidationPredictions predict_validation(const FitRecord& fit, const Dataset& validation, Executor& executor) {
  const Matrix unit = fit.scaling.to_unit(validation.inputs());
  ValidationPredictions result;
  for (Index i = 0; i < unit.rows(); ++i) {
    const double beyond = std::max(-unit.row(i).minCoeff(), unit.row(i).maxCoeff() - 1.0);
    result.is_outside.push_back(beyond > 0.0);
    result.farthest = std::max(result.farthest, beyond);
  }
  result.runs = {judge_validation(make_emulator(fit), validation.inputs(), validation.output(), executor),
                 judge_validation(make_map_emulator(fit), validation.inputs(), validation.output(), executor),
                 variance(validation.output())};
  return result;
}

Json left_out_json(const FitRecord& fit, const LeftOutPredictions& predictions) {
  if (predictions.runs.posterior.empty()) return {};
  Json json = predictions_json(predictions.runs, "runs, each left out in turn");
  json["draws"] = predictions.num_draws;
  json["all_draws"] = fit.sample.size();
  json["unreliable"] = predictions.num_unreliable();
  json["cannot_miss"] = predictions.cannot_miss;
  Json rows = Json::array();
  for (std::size_t i = 0; i < predictions.runs.posterior.size(); ++i) {
    Json row = run_json(predictions.runs.posterior[i]);
    if (!predictions.k_hat.empty()) row["k_hat"] = shown(predictions.k_hat[i]);
    rows.push_back(row);
  }
  json["runs"] = rows;
  return json;
}

Json validation_json(const FitRecord&, const ValidationPredictions& predictions) {
  Json json = predictions_json(predictions.runs, "validation runs");
  const auto n = static_cast<Index>(predictions.runs.posterior.size());
  const Index step = (n + kMostShown - 1) / kMostShown;
  Json rows = Json::array();
  for (Index i = 0; i < n; i += step) {
    Json row = run_json(predictions.runs.posterior[static_cast<std::size_t>(i)]);
    row["is_outside"] = static_cast<bool>(predictions.is_outside[static_cast<std::size_t>(i)]);
    rows.push_back(row);
  }
  json["runs"] = rows;
  json["shown"] = rows.size();
  json["is_thinned"] = step > 1;
  json["outside"] = std::count(predictions.is_outside.begin(), predictions.is_outside.end(), true);
  return json;
}

}  // namespace ta2s2::detail
