#include "ta2s2/report/report_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "ta2s2/error.hpp"
#include "ta2s2/report/comparison_record.hpp"
#include "ta2s2/report/outputs_record.hpp"
#include "ta2s2/report/render_report.hpp"
#include "ta2s2/workflow/fit_model.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

const MemberRecord& fit_once() {
  static const MemberRecord fit = test::small_fit();
  return fit;
}

std::string record_of(const OutputRecord& output, const OutputRuns* validation = nullptr, int threads = 2) {
  ThreadExecutor executor(threads);
  return make_report_record(output, validation, executor);
}

std::string record_of(const MemberRecord& fit, const OutputRuns* validation = nullptr, int threads = 2) {
  return record_of(single_member(fit), validation, threads);
}

Json parsed(const MemberRecord& fit, const OutputRuns* validation = nullptr) {
  return Json::parse(record_of(fit, validation));
}

const OutputRecord& average_once() {
  static const OutputRecord average = [] {
    ThreadExecutor executor(2);
    Observer silent;
    const ValidFitOptions options(test::small_options({{"model", "average"}}));
    return fit_model({test::small_runs()}, options, {}, {executor, silent}).outputs.front();
  }();
  return average;
}

TEST(ReportRecord, ValidationScoresAreThoseOfValidate) {
  const OutputRuns runs = test::small_runs(30, 1.0, 8);
  ThreadExecutor executor(2);
  const Json scores = parsed(fit_once(), &runs).at("validation").at("scores");
  for (const auto& [which, predictive] :
       {std::pair{"posterior", make_predictive(fit_once())}, std::pair{"map", make_plug_in(fit_once())}}) {
    const Scores expected = validate(predictive, runs, executor);
    EXPECT_NEAR(scores.at(which).at("rmse").get<double>(), expected.rmse, 1e-12 * expected.rmse);
    EXPECT_NEAR(scores.at(which).at("crps").get<double>(), expected.crps, 1e-12 * expected.crps);
    EXPECT_NEAR(scores.at(which).at("nlpd").get<double>(), expected.nlpd, 1e-12);
    EXPECT_NEAR(scores.at(which).at("interval_score_95").get<double>(), expected.interval_score_95,
                1e-12 * expected.interval_score_95);
    EXPECT_EQ(scores.at(which).at("coverage_95").get<double>(), expected.coverage[3]);
  }
}

TEST(ReportRecord, HasARowPerRunThatWasLeftOut) {
  const Json left_out = parsed(fit_once()).at("leave_one_out");
  ASSERT_EQ(left_out.at("runs").size(), 14u);
  for (const Json& run : left_out.at("runs")) {
    const double observed = fit_once().data.output()[run.at("run").get<Index>() - 1];
    EXPECT_NEAR(run.at("observed").get<double>(), observed, 1e-7 * std::abs(observed));  // eight digits
    EXPECT_LT(run.at("low"), run.at("mean"));
    EXPECT_LT(run.at("mean"), run.at("high"));
  }
  EXPECT_TRUE(parsed(fit_once()).at("validation").is_null());
}

TEST(ReportRecord, TheTolerancePageIsMeasured) {
  const Json predictive = parsed(fit_once()).at("emulator");
  EXPECT_GE(predictive.at("tolerance").get<double>(), 2.0 * predictive.at("measured").get<double>() - 1e-6);
  double total = 0.0;
  for (const Json& draw : predictive.at("draws")) total += draw.at("weight").get<double>();
  EXPECT_NEAR(total, 1.0, 1e-12);
  ThreadExecutor executor(2);
  for (const Json& probe : predictive.at("probes")) {
    const auto at = probe.at("at").get<std::vector<double>>();
    const PredictionSummary all =
        summarise(make_predictive(fit_once()), Eigen::Map<const Eigen::RowVectorXd>(at.data(), 2), Predict::new_run,
                  {0.025, 0.975}, executor);
    const double far = predictive.at("tolerance").get<double>() * all.sd[0];
    EXPECT_NEAR(probe.at("mean").get<double>(), all.mean[0], far);
    EXPECT_NEAR(probe.at("low").get<double>(), all.quantiles(0, 0), far);
    EXPECT_NEAR(probe.at("high").get<double>(), all.quantiles(0, 1), far);
  }
}

TEST(ReportRecord, ThreadsChangeNoBit) {
  EXPECT_EQ(record_of(fit_once(), nullptr, 1), record_of(fit_once(), nullptr, 3));
  EXPECT_EQ(record_of(average_once(), nullptr, 1), record_of(average_once(), nullptr, 3));
}

TEST(ReportRecord, OfAnAverageIsOfTheMixture) {
  const OutputRuns runs = test::small_runs(30, 1.0, 8);
  ThreadExecutor executor(2);
  const Json record = Json::parse(record_of(average_once(), &runs));
  const Scores expected = validate(make_predictive(average_once()), runs, executor);
  EXPECT_NEAR(record.at("validation").at("scores").at("posterior").at("crps").get<double>(), expected.crps,
              1e-12 * expected.crps);
  ASSERT_EQ(record.at("models").size(), 2u);
  EXPECT_GE(record.at("models")[0].at("weight"), record.at("models")[1].at("weight"));  // the heaviest first
  for (const Json& row : record.at("average").at("rows")) {
    const MemberRecord& fit = find_member(average_once(), row.at("model"));
    EXPECT_NEAR(row.at("log_evidence").get<double>(), fit.evidence->log_evidence, 1e-6);
    EXPECT_LE(row.at("low"), row.at("weight"));
    EXPECT_GE(row.at("high"), row.at("weight"));
  }
  EXPECT_TRUE(parsed(fit_once()).at("average").is_null());
}

// Two models that are equally likely before: p(y) is the mean of p(y | model).
TEST(ReportRecord, TheEvidenceOfAnAverageIsTheMean) {
  const Json evidence = Json::parse(record_of(average_once())).at("totals").at("evidence");
  const double a = average_once().members[0].evidence->log_evidence,
               b = average_once().members[1].evidence->log_evidence;
  EXPECT_NEAR(evidence.at("log_evidence").get<double>(), a + std::log(0.5 * (1.0 + std::exp(b - a))), 1e-9);
}

TEST(ReportRecord, APageOfAnAverageHoldsDrawsOfItsModels) {
  OutputRecord equal = average_once();
  equal.weights = {0.5, 0.5};
  equal.weighting = "equal";
  const Json predictive = Json::parse(record_of(equal)).at("emulator");
  std::set<Index> models;
  for (const Json& draw : predictive.at("draws")) models.insert(draw.at("model").get<Index>());
  EXPECT_EQ(models, (std::set<Index>{0, 1}));
  // A model that the runs speak against lends no draw.
  equal.weights = {1.0, 0.0};
  for (const Json& draw : Json::parse(record_of(equal)).at("emulator").at("draws")) EXPECT_EQ(draw.at("model"), 0);
}

TEST(ReportRecord, ShowsWhatSensitivitySays) {
  const Json inputs = parsed(fit_once()).at("inputs");
  ThreadExecutor executor(2);
  const Predictive predictive = make_predictive(fit_once());
  const InputDistributions uniform = uniform_inputs(predictive);
  SensitivityOptions options;
  options.num_paths = inputs.at("paths");
  const Sensitivity expected = summarise_sensitivity(analyse_sensitivity(predictive, uniform, options, executor),
                                                     uniform, fit_once().data.input_names(), predictive);
  for (const Json& row : inputs.at("rows")) {
    const InputSensitivity& input = expected.inputs[row.at("column").get<std::size_t>()];
    EXPECT_NEAR(row.at("first").at("q50").get<double>(), input.first.median, 1e-7);
    EXPECT_NEAR(row.at("total").at("q025").get<double>(), input.total.low, 1e-7);
    EXPECT_NEAR(row.at("total").at("q975").get<double>(), input.total.high, 1e-7);
  }
  EXPECT_GE(inputs.at("rows")[0].at("total").at("q50"), inputs.at("rows")[1].at("total").at("q50"));
}

TEST(ReportRecord, NextRunsLieInTheRangesAndLowerTheVariance) {
  const Json next = parsed(fit_once()).at("next_runs");
  ASSERT_EQ(next.at("rows").size(), 5u);
  const Scaling& scaling = fit_once().scaling;
  for (const Json& row : next.at("rows")) {
    for (Index d = 0; d < 2; ++d) {
      const double at = row.at("at")[static_cast<std::size_t>(d)];
      EXPECT_GE(at, scaling.low()[d]);
      EXPECT_LE(at, scaling.low()[d] + scaling.width()[d]);
    }
  }
  const auto variance = next.at("average_variance").get<std::vector<double>>();
  ASSERT_EQ(variance.size(), 6u);
  for (std::size_t i = 1; i < variance.size(); ++i) EXPECT_LT(variance[i], variance[i - 1]);
  EXPECT_THAT(next.at("command").get<std::string>(), HasSubstr("ta2s2 next-runs model.json --output weight --count 5"));
}

TEST(ReportRecord, ReadsTheTrendFromItsColumns) {
  const MemberRecord fit = test::small_fit({{"trend", "terms(load,length^2)"}});
  const Json trend = parsed(fit).at("emulator").at("models")[0].at("trend");
  ASSERT_EQ(trend.size(), 3u);
  EXPECT_EQ(trend[0].at("power"), 0);
  EXPECT_EQ(trend[1], (Json{{"input", 1}, {"power", 1}}));
  EXPECT_EQ(trend[2], (Json{{"input", 0}, {"power", 2}}));
}

TEST(ReportRecord, OfAPointEstimateSaysSo) {
  const Json record = parsed(test::small_fit({{"map-only", "true"}}));
  EXPECT_EQ(record.at("verdict").at("level"), "amber");
  EXPECT_FALSE(record.at("models")[0].at("run").at("has_levels").get<bool>());
  EXPECT_EQ(record.at("emulator").at("num_draws"), 1);
}

TEST(ReportRecord, GivesTheCommandAgain) {
  const MemberRecord fit = test::small_fit({{"correlation", "power-exponential(1.9)"}, {"seed", "7"}});
  EXPECT_THAT(parsed(fit).at("provenance").at("command").get<std::string>(),
              HasSubstr("ta2s2 fit runs.csv --output weight --correlation 'power-exponential(1.9)' --model single "
                        "--samples 200 --seed 7"));
}

TEST(ReportRecord, TheCommandNamesTheSampler) {
  const MemberRecord fit = test::small_fit({{"sampler", "plgp"}});
  const std::string command = parsed(fit).at("provenance").at("command");
  EXPECT_THAT(command, HasSubstr(" --sampler plgp"));
  EXPECT_THAT(command, Not(HasSubstr("--kernel")));  // the sampler's name stands for it
}

TEST(ReportPage, HoldsItsRecord) {
  const std::string record = record_of(fit_once());
  EXPECT_EQ(find_report_record(render_report(record), "page.html"), record);
  EXPECT_EQ(find_report_record(record, "record.json"), record);
}

TEST(ReportPage, RefusesWhatIsNoRecord) {
  EXPECT_THROW(find_report_record("<html></html>", "page.html"), Error);
  EXPECT_THROW(find_report_record("{\"format\": \"other\"}", "page.html"), Error);
  EXPECT_THROW(find_report_record("{\"format\": \"ta2s2-report\", \"format_version\": 99}", "page.html"), Error);
}

TEST(ReportPage, NamesAreTextEverywhere) {
  const OutputRuns plain = test::small_runs();
  const OutputRuns hostile(plain.inputs(), plain.output(), {"</script><script>alert(1)</script>", "{{model.output}}"},
                           "<img src=x onerror=alert(2)>");
  const std::string page = render_report(record_of(test::small_fit({}, hostile)));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("{{model.output}}"));
}

TEST(SeveralOutputs, StandSideBySideInTabs) {
  const OutputRuns plain = test::small_runs();
  const OutputRuns other(plain.inputs(), plain.output().array().square().matrix(), plain.input_names(), "<other>");
  const std::string first = record_of(fit_once()), second = record_of(test::small_fit({}, other));
  const std::string record = make_outputs_record({first, second});
  EXPECT_EQ(Json::parse(record).at("outputs")[1], Json::parse(second));
  EXPECT_EQ(Json::parse(record).at("overview")[1].at("output"), "<other>");
  const std::string page = render_report(record);
  EXPECT_EQ(find_report_record(page, "page.html"), record);
  EXPECT_THAT(page, HasSubstr("id=\"o2-verdict\""));
  EXPECT_THAT(page, Not(HasSubstr("<other>")));
  EXPECT_EQ(make_outputs_record({first}), first);
  EXPECT_THROW(make_comparison_record({"a.json", record}, {"b.json", first}), Error);
}

TEST(Comparison, SetsEvidenceSideBySide) {
  const MemberRecord other = test::small_fit({{"correlation", "matern32"}});
  const Json record =
      Json::parse(make_comparison_record({"a.json", record_of(fit_once())}, {"b.json", record_of(other)}));
  EXPECT_TRUE(record.at("same_data").get<bool>());
  EXPECT_NEAR(record.at("evidence").at("difference").get<double>(),
              fit_once().evidence->log_evidence - other.evidence->log_evidence, 1e-9);
  ASSERT_EQ(record.at("settings").size(), 1u);
  EXPECT_EQ(record.at("settings")[0].at("second"), "matern32");
  EXPECT_THAT(render_report(record.dump()), HasSubstr("b.json"));
}

TEST(Comparison, OfDifferentRunsComparesNoEvidence) {
  const MemberRecord other = test::small_fit({}, test::small_runs(14, 1.0, 4));
  const Json record =
      Json::parse(make_comparison_record({"a.json", record_of(fit_once())}, {"b.json", record_of(other)}));
  EXPECT_FALSE(record.at("evidence").at("is_comparable").get<bool>());
}

}  // namespace
}  // namespace ta2s2
