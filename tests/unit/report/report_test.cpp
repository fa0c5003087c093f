#include "ta2s2/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/input_activity.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/sensitivity.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using report::ComparisonPage, report::OutputPage, report::OutputsPage;
using testing::HasSubstr;
using testing::Not;

const MemberRecord& fit_once() {
  static const MemberRecord fit = test::small_fit();
  return fit;
}

ReportRecord record_of(const OutputRecord& output, const std::vector<OutputRuns>& validation = {}, int threads = 2) {
  ThreadExecutor executor(threads);
  return make_report_record({{output}}, validation, executor);
}

ReportRecord record_of(const MemberRecord& fit) {
  return record_of(single_member(fit));
}

OutputPage page_of(const OutputRecord& output, const std::vector<OutputRuns>& validation = {}) {
  return std::get<OutputPage>(record_of(output, validation));
}

OutputPage page_of(const MemberRecord& fit, const std::vector<OutputRuns>& validation = {}) {
  return page_of(single_member(fit), validation);
}

const OutputPage& page_once() {
  static const OutputPage page = page_of(fit_once());
  return page;
}

const OutputRecord& average_once() {
  static const OutputRecord average = [] {
    ThreadExecutor executor(2);
    Observer silent;
    const ValidFitOptions options(test::small_options(
        {{"model", "average"}, {"average-over", "squared-exponential,matern52"}, {"weighting", "evidence"}}));
    return fit_model({test::small_runs()}, options, {}, {executor, silent}).outputs.front();
  }();
  return average;
}

TEST(ReportRecord, ValidationScoresAreThoseOfValidate) {
  const OutputRuns runs = test::small_runs(30, 1.0, 8);
  ThreadExecutor executor(2);
  const auto scores = page_of(fit_once(), {runs}).validation.value().scores;
  for (const auto& [row, predictive] :
       {std::pair{scores.posterior, make_predictive(fit_once())}, std::pair{scores.map, make_plug_in(fit_once())}}) {
    const Scores expected = validate(predictive, runs, executor);
    EXPECT_NEAR(row.rmse, expected.rmse, 1e-12 * expected.rmse);
    EXPECT_NEAR(row.crps, expected.crps, 1e-12 * expected.crps);
    EXPECT_NEAR(row.nlpd, expected.nlpd, 1e-12);
    EXPECT_NEAR(row.interval_score_95, expected.interval_score_95, 1e-12 * expected.interval_score_95);
    EXPECT_EQ(row.coverage_95, expected.coverage[3]);
  }
}

TEST(ReportRecord, HasARowPerRunThatWasLeftOut) {
  const std::vector<report::JudgedRow> runs = page_once().leave_one_out.value().runs;
  ASSERT_EQ(runs.size(), 14u);
  for (const report::JudgedRow& run : runs) {
    const double observed = fit_once().data.output()[run.run - 1];
    EXPECT_NEAR(run.observed, observed, 1e-7 * std::abs(observed));  // eight digits
    EXPECT_LT(run.low, run.mean);
    EXPECT_LT(run.mean, run.high);
  }
  EXPECT_FALSE(page_once().validation);
}

TEST(ReportRecord, TheTolerancePageIsMeasured) {
  const report::PageEmulator& emulator = page_once().emulator;
  EXPECT_GE(emulator.tolerance, 2.0 * emulator.measured - 1e-6);
  double total = 0.0;
  for (const report::PageDraw& draw : emulator.draws) total += draw.weight;
  EXPECT_NEAR(total, 1.0, 1e-12);
  ThreadExecutor executor(2);
  ASSERT_FALSE(emulator.probes.empty());
  for (const report::Probe& probe : emulator.probes) {
    const PredictionSummary all =
        summarise(make_predictive(fit_once()), Eigen::Map<const Eigen::RowVectorXd>(probe.at.data(), 2),
                  Predict::new_run, {0.025, 0.975}, executor);
    const double far = emulator.tolerance * all.sd[0];
    EXPECT_NEAR(probe.mean, all.mean[0], far);
    EXPECT_NEAR(probe.low, all.quantiles(0, 0), far);
    EXPECT_NEAR(probe.high, all.quantiles(0, 1), far);
  }
}

TEST(ReportRecord, ThreadsChangeNoBit) {
  for (const OutputRecord& output : {single_member(fit_once()), average_once()}) {
    EXPECT_EQ(to_json(record_of(output, {}, 1)), to_json(record_of(output, {}, 3)));
  }
}

TEST(ReportRecord, OfAnAverageIsOfTheMixture) {
  const OutputRuns runs = test::small_runs(30, 1.0, 8);
  ThreadExecutor executor(2);
  const OutputPage page = page_of(average_once(), {runs});
  const Scores expected = validate(make_predictive(average_once()), runs, executor);
  EXPECT_NEAR(page.validation.value().scores.posterior.crps, expected.crps, 1e-12 * expected.crps);
  ASSERT_EQ(page.members.size(), 2u);
  EXPECT_GE(page.members[0].weight, page.members[1].weight);  // the heaviest first
  for (const report::AverageRow& row : page.average.value().rows) {
    const MemberRecord& fit = find_member(average_once(), row.model);
    EXPECT_NEAR(row.log_evidence.value(), fit.evidence->log_evidence, 1e-6);
    EXPECT_LE(row.low.value(), row.weight);
    EXPECT_GE(row.high.value(), row.weight);
  }
  EXPECT_FALSE(page_once().average);
}

// Two members that are equally likely before: p(y) is the mean of p(y | member).
TEST(ReportRecord, TheEvidenceOfAnAverageIsTheMean) {
  const double a = average_once().members[0].evidence->log_evidence,
               b = average_once().members[1].evidence->log_evidence;
  EXPECT_NEAR(page_of(average_once()).totals.evidence.value().log_evidence, a + std::log(0.5 * (1.0 + std::exp(b - a))),
              1e-9);
}

TEST(ReportRecord, APageOfAnAverageHoldsDrawsOfItsMembers) {
  OutputRecord equal = average_once();
  equal.weights = {0.5, 0.5};
  equal.weighting = Weighting::equal;
  const auto members_of_draws = [&] {
    std::set<Index> members;
    for (const report::PageDraw& draw : page_of(equal).emulator.draws) members.insert(draw.member);
    return members;
  };
  EXPECT_EQ(members_of_draws(), (std::set<Index>{0, 1}));
  // A member that the runs speak against lends no draw.
  equal.weights = {1.0, 0.0};
  EXPECT_EQ(members_of_draws(), (std::set<Index>{0}));
}

TEST(ReportRecord, ShowsWhatSensitivitySays) {
  const report::InputsSection& inputs = page_once().inputs;
  ThreadExecutor executor(2);
  const Predictive predictive = make_predictive(fit_once());
  const InputDistributions uniform = uniform_inputs(predictive);
  SensitivityOptions options;
  options.num_paths = inputs.paths.value();
  const Sensitivity expected = summarise_sensitivity(analyse_sensitivity(predictive, uniform, options, executor),
                                                     uniform, fit_once().data.input_names(), predictive,
                                                     activity_of(single_member(fit_once()), executor));
  ASSERT_EQ(inputs.rows.size(), 2u);
  for (const report::InputRow& row : inputs.rows) {
    const InputSensitivity& input = expected.inputs[static_cast<std::size_t>(row.column)];
    EXPECT_NEAR(row.first.value().q50, input.first.median, 1e-7);
    EXPECT_NEAR(row.total.q025, input.total.low, 1e-7);
    EXPECT_NEAR(row.total.q975, input.total.high, 1e-7);
    EXPECT_EQ(row.p_active.value(), input.p_active);
  }
  EXPECT_GE(inputs.rows[0].total.q50, inputs.rows[1].total.q50);
}

TEST(ReportRecord, NextRunsLieInTheRangesAndLowerTheVariance) {
  const report::NextRunsSection next = page_once().next_runs.value();
  ASSERT_EQ(next.rows.size(), 5u);
  const Scaling& scaling = fit_once().scaling;
  for (const report::NextRunRow& row : next.rows) {
    for (Index d = 0; d < 2; ++d) {
      const double at = row.at[static_cast<std::size_t>(d)];
      EXPECT_GE(at, scaling.low()[d]);
      EXPECT_LE(at, scaling.low()[d] + scaling.width()[d]);
    }
  }
  const std::vector<double>& variance = next.average_variance;
  ASSERT_EQ(variance.size(), 6u);
  for (std::size_t i = 1; i < variance.size(); ++i) EXPECT_LT(variance[i], variance[i - 1]);
  EXPECT_THAT(next.command, HasSubstr("ta2s2 next-runs model.json --output weight --count 5"));
}

TEST(ReportRecord, ReadsTheTrendFromItsColumns) {
  const auto trend = page_of(test::small_fit({{"trend", "terms(load,length^2)"}})).emulator.members[0].trend;
  std::vector<std::pair<Index, Index>> found;
  for (const report::TrendTerm& term : trend) found.emplace_back(term.input, term.power);
  EXPECT_EQ(found, (std::vector<std::pair<Index, Index>>{{0, 0}, {1, 1}, {0, 2}}));
}

// What the page needs to map each draw's process back to the output.
TEST(ReportRecord, HasTheTransformationOfEachMemberAndDraw) {
  const MemberRecord fit = test::small_fit({{"transform", "box-cox"}, {"correlation", "rational-quadratic"}});
  const report::PageEmulator emulator = page_of(fit).emulator;
  EXPECT_EQ(emulator.members[0].transform.kind(), TransformKind::box_cox);
  EXPECT_EQ(emulator.members[0].transform.origin(), fit.transform.origin());
  EXPECT_EQ(emulator.members[0].transform.scale(), fit.transform.scale());
  const auto [least, largest] = std::minmax_element(emulator.output.begin(), emulator.output.end());
  EXPECT_NEAR(emulator.clips.value().low, *least - 3.0 * (*largest - *least), 1e-12);
  EXPECT_NEAR(emulator.clips.value().high, *largest + 3.0 * (*largest - *least), 1e-12);
  std::set<double> shapes;
  for (const report::PageDraw& draw : emulator.draws) {
    EXPECT_EQ(draw.transform.size(), 2u);
    shapes.insert(draw.log_shape.value());
  }
  EXPECT_GT(shapes.size(), 1u);
}

TEST(ReportRecord, OfPlainDrawsHasNeitherTransformationNorClips) {
  const report::PageEmulator& emulator = page_once().emulator;
  EXPECT_TRUE(emulator.members[0].transform.is_none());
  EXPECT_FALSE(emulator.clips);
  EXPECT_FALSE(emulator.recalibration);
  for (const report::PageDraw& draw : emulator.draws) EXPECT_TRUE(draw.transform.empty() && !draw.log_shape);
}

// Normal scores are divided by kappa: with 1.5 the ends lie at 1.5 times -1.96 and 1.96 of the law before.
TEST(ReportRecord, SaysWhichLevelsRecalibrationTurnsIntoTheIntervalsEnds) {
  OutputRecord wider = single_member(fit_once());
  wider.recalibration = 1.5;
  const report::PageRecalibration recalibration = page_of(wider).emulator.recalibration.value();
  EXPECT_NEAR(recalibration.low, 0.00164135, 1e-8);
  EXPECT_NEAR(recalibration.high, 1.0 - 0.00164135, 1e-8);
  double total = 0.0;
  for (const report::LevelNode& node : recalibration.nodes) total += node.weight;
  EXPECT_NEAR(total, 1.0, 1e-12);
}

TEST(ReportRecord, OfAPointEstimateSaysSo) {
  const OutputPage page = page_of(test::small_fit({{"map-only", "true"}}));
  EXPECT_EQ(page.verdict.level, "amber");
  EXPECT_FALSE(page.members[0].sampler.has_levels);
  EXPECT_EQ(page.emulator.num_draws, 1);
}

TEST(ReportRecord, GivesTheCommandAgain) {
  const MemberRecord fit = test::small_fit({{"correlation", "power-exponential(1.9)"}, {"seed", "7"}});
  EXPECT_THAT(page_of(fit).provenance.command,
              HasSubstr("ta2s2 fit runs.csv --output weight --correlation 'power-exponential(1.9)' --model single "
                        "--samples 200 --seed 7"));
}

TEST(ReportRecord, TheCommandNamesTheSampler) {
  const std::string command = page_of(test::small_fit({{"sampler", "plgp"}})).provenance.command;
  EXPECT_THAT(command, HasSubstr(" --sampler plgp"));
  EXPECT_THAT(command, Not(HasSubstr("--move")));  // the sampler's name stands for it
}

// Of either form: what is read again is what was written.
void expect_found_again(const ReportRecord& record) {
  const std::string json = to_json(record);
  EXPECT_EQ(to_json(find_report_record(render_page(record), "page.html")), json);
  EXPECT_EQ(to_json(find_report_record(json, "record.json")), json);
}

TEST(ReportPage, HoldsItsRecord) {
  expect_found_again(record_of(fit_once()));
  expect_found_again(record_of(average_once(), {test::small_runs(30, 1.0, 8)}));
  expect_found_again(record_of(test::small_fit({{"transform", "sinh-arcsinh"}})));
}

TEST(ReportPage, ReadsARecordOfVersionThree) {
  const std::string json = to_json(page_once()), today = "\"format_version\":4";
  std::string earlier = json;
  earlier.replace(earlier.find(today), today.size(), "\"format_version\":3");
  EXPECT_EQ(to_json(find_report_record(earlier, "record.json")), json);
}

// k-hat is infinite where too few draws are left, which JSON cannot say.
TEST(ReportPage, WritesNullForWhatIsNoNumber) {
  OutputPage page = page_once();
  page.leave_one_out.value().runs[0].k_hat = kInfinity;
  EXPECT_THAT(to_json(page), HasSubstr("\"k_hat\":null"));
  EXPECT_THAT(render_page(page), Not(HasSubstr(">inf<")));
  expect_found_again(page);
}

TEST(ReportPage, RefusesWhatIsNoRecord) {
  for (const char* text : {"<html></html>", "[]", "{\"format\": \"other\"}", "{\"format\": \"ta2s2-report\"}",
                           "{\"format\": \"ta2s2-report\", \"format_version\": 99}"}) {
    EXPECT_THROW(find_report_record(text, "page.html"), Error) << text;
  }
}

TEST(ReportPage, NamesAreTextEverywhere) {
  const OutputRuns plain = test::small_runs();
  const OutputRuns hostile(plain.inputs(), plain.output(), {"</script><script>alert(1)</script>", "{{model.output}}"},
                           "<img src=x onerror=alert(2)>");
  const std::string page = render_page(record_of(test::small_fit({}, hostile)));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page, HasSubstr("{{model.output}}"));
}

TEST(SeveralOutputs, StandSideBySideInTabs) {
  const OutputRuns plain = test::small_runs();
  const OutputRuns squared(plain.inputs(), plain.output().array().square().matrix(), plain.input_names(), "<other>");
  const OutputRecord first = single_member(fit_once()), second = single_member(test::small_fit({}, squared));
  ThreadExecutor executor(2);
  const ReportRecord record = make_report_record({{first, second}}, {}, executor);
  const OutputsPage& page = std::get<OutputsPage>(record);
  EXPECT_EQ(to_json(page.outputs[1]), to_json(record_of(second)));
  EXPECT_EQ(page.overview[1].output, "<other>");
  expect_found_again(record);
  EXPECT_THAT(render_page(record), HasSubstr("id=\"o2-verdict\""));
  EXPECT_THAT(render_page(record), Not(HasSubstr("<other>")));
  EXPECT_THROW(compare_reports({"a.json", record}, {"b.json", page_once()}), Error);
}

TEST(Comparison, SetsEvidenceSideBySide) {
  const MemberRecord other = test::small_fit({{"correlation", "matern32"}});
  const ReportRecord record = compare_reports({"a.json", page_once()}, {"b.json", record_of(other)});
  const ComparisonPage& page = std::get<ComparisonPage>(record);
  EXPECT_TRUE(page.same_data);
  EXPECT_NEAR(page.evidence.difference.value(), fit_once().evidence->log_evidence - other.evidence->log_evidence, 1e-9);
  ASSERT_EQ(page.settings.size(), 1u);
  EXPECT_EQ(page.settings[0].second, "matern32");
  EXPECT_THAT(render_page(record), HasSubstr("b.json"));
  expect_found_again(record);
}

TEST(Comparison, OfDifferentRunsComparesNoEvidence) {
  const MemberRecord other = test::small_fit({}, test::small_runs(14, 1.0, 4));
  const ReportRecord record = compare_reports({"a.json", page_once()}, {"b.json", record_of(other)});
  EXPECT_FALSE(std::get<ComparisonPage>(record).evidence.is_comparable);
}

}  // namespace
}  // namespace ta2s2
