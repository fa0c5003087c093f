#include "ta2s2/report/report_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "ta2s2/base/error.hpp"
#include "ta2s2/report/comparison_record.hpp"
#include "ta2s2/report/render_report.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

const FitRecord& fit_once() {
  static const FitRecord fit = test::small_fit();
  return fit;
}

std::string record_of(const FitRecord& fit, const Dataset* validation = nullptr, int threads = 2) {
  ThreadExecutor executor(threads);
  return make_report_record(fit, validation, executor);
}

Json parsed(const FitRecord& fit, const Dataset* validation = nullptr) {
  return Json::parse(record_of(fit, validation));
}

TEST(ReportRecord, ValidationScoresAreThoseOfValidate) {
  const Dataset runs = test::small_runs(30, 1.0, 8);
  ThreadExecutor executor(2);
  const Json scores = parsed(fit_once(), &runs).at("validation").at("scores");
  for (const auto& [which, emulator] :
       {std::pair{"posterior", make_emulator(fit_once())}, std::pair{"map", make_map_emulator(fit_once())}}) {
    const Scores expected = validate(emulator, runs, executor);
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
  const Json emulator = parsed(fit_once()).at("emulator");
  EXPECT_GE(emulator.at("tolerance").get<double>(), 2.0 * emulator.at("measured").get<double>() - 1e-6);
  double total = 0.0;
  for (const Json& draw : emulator.at("draws")) total += draw.at("weight").get<double>();
  EXPECT_NEAR(total, 1.0, 1e-12);
  ThreadExecutor executor(2);
  for (const Json& probe : emulator.at("probes")) {
    const auto at = probe.at("at").get<std::vector<double>>();
    const PredictionSummary all =
        summarise(make_emulator(fit_once()), Eigen::Map<const Eigen::RowVectorXd>(at.data(), 2), Predict::new_run,
                  {0.025, 0.975}, executor);
    const double far = emulator.at("tolerance").get<double>() * all.sd[0];
    EXPECT_NEAR(probe.at("mean").get<double>(), all.mean[0], far);
    EXPECT_NEAR(probe.at("low").get<double>(), all.quantiles(0, 0), far);
    EXPECT_NEAR(probe.at("high").get<double>(), all.quantiles(0, 1), far);
  }
}

TEST(ReportRecord, ThreadsChangeNoBit) {
  EXPECT_EQ(record_of(fit_once(), nullptr, 1), record_of(fit_once(), nullptr, 3));
}

TEST(ReportRecord, ReadsTheTrendFromItsColumns) {
  const FitRecord fit = test::small_fit({{"trend", "terms(load,length^2)"}});
  const Json trend = parsed(fit).at("emulator").at("trend");
  ASSERT_EQ(trend.size(), 3u);
  EXPECT_EQ(trend[0].at("power"), 0);
  EXPECT_EQ(trend[1], (Json{{"input", 1}, {"power", 1}}));
  EXPECT_EQ(trend[2], (Json{{"input", 0}, {"power", 2}}));
}

TEST(ReportRecord, OfAPointEstimateSaysSo) {
  const Json record = parsed(test::small_fit({{"map-only", "true"}}));
  EXPECT_EQ(record.at("verdict").at("level"), "amber");
  EXPECT_FALSE(record.at("run").at("has_levels").get<bool>());
  EXPECT_EQ(record.at("emulator").at("num_draws"), 1);
}

TEST(ReportRecord, GivesTheCommandAgain) {
  const FitRecord fit = test::small_fit({{"correlation", "power-exponential(1.9)"}, {"seed", "7"}});
  EXPECT_THAT(
      parsed(fit).at("provenance").at("command").get<std::string>(),
      HasSubstr("ta2s2 fit runs.csv --output weight --correlation 'power-exponential(1.9)' --model single --samples 200 --seed 7"));
}

TEST(ReportRecord, TheCommandNamesTheSampler) {
  const FitRecord fit = test::small_fit({{"sampler", "plgp"}});
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
  const Dataset plain = test::small_runs();
  const Dataset hostile(plain.inputs(), plain.output(), {"</script><script>alert(1)</script>", "{{model.output}}"},
                        "<img src=x onerror=alert(2)>");
  const std::string page = render_report(record_of(test::small_fit({}, hostile)));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("{{model.output}}"));
}

TEST(Comparison, SetsEvidenceSideBySide) {
  const FitRecord other = test::small_fit({{"correlation", "matern32"}});
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
  const FitRecord other = test::small_fit({}, test::small_runs(14, 1.0, 4));
  const Json record =
      Json::parse(make_comparison_record({"a.json", record_of(fit_once())}, {"b.json", record_of(other)}));
  EXPECT_FALSE(record.at("evidence").at("is_comparable").get<bool>());
}

}  // namespace
}  // namespace ta2s2
