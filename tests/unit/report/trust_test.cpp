#include "ta2s2/report/detail/trust.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/workflow/good_record.hpp"

namespace ta2s2::detail {
namespace {

using testing::HasSubstr;

// Runs of which so many lie in their 95% and 50% intervals; means are right to one tenth of the spread.
JudgedPredictions predictions(int n, int inside, int in_half) {
  JudgedPredictions runs;
  for (int i = 0; i < n; ++i) {
    JudgedRun run{i + 1, static_cast<double>(i), i + 0.1, 0.1};
    run.pit = i < in_half ? 0.5 : i < inside ? 0.9 : 0.999;
    runs.posterior.push_back(run);
  }
  runs.output_variance = n * n / 12.0;
  return runs;
}

Trust worst(const std::vector<TrustReason>& reasons) {
  Trust level = Trust::note;
  for (const TrustReason& reason : reasons) level = std::max(level, reason.level);
  return level;
}

// P(X <= k) of 100 runs at 0.95 is 0.028 for 90, 0.011 for 89, 0.0015 for 87 and 0.0005 for 86.
TEST(Trust, FollowsTheCoverageOfIntervals) {
  EXPECT_EQ(worst(judge_predictions(predictions(100, 95, 50), "runs")), Trust::good);
  EXPECT_EQ(worst(judge_predictions(predictions(100, 90, 50), "runs")), Trust::good);
  EXPECT_EQ(worst(judge_predictions(predictions(100, 89, 50), "runs")), Trust::care);
  EXPECT_EQ(worst(judge_predictions(predictions(100, 87, 50), "runs")), Trust::care);
  EXPECT_EQ(worst(judge_predictions(predictions(100, 86, 50), "runs")), Trust::bad);
}

TEST(Trust, NotesIntervalsThatAreWiderThanNeeded) {
  const auto reasons = judge_predictions(predictions(100, 100, 90), "runs");
  EXPECT_EQ(reasons.front().level, Trust::note);
  EXPECT_THAT(reasons.front().text, HasSubstr("wider than needed"));
}

TEST(Trust, AsksForCareWhereAMeanWouldDo) {
  JudgedPredictions runs = predictions(100, 95, 50);
  runs.output_variance = 0.012;  // mean squared error is 0.01
  EXPECT_EQ(worst(judge_predictions(runs, "runs")), Trust::care);
}

TEST(Trust, FollowsTheSampler) {
  MemberRecord fit = test::good_record();
  EXPECT_EQ(worst(judge_sampler(fit)), Trust::good);
  fit.diagnostics[0].effective_sample_size = 20.0;
  EXPECT_EQ(worst(judge_sampler(fit)), Trust::bad);
  fit = test::good_record();
  fit.options.map_only = true;
  EXPECT_EQ(worst(judge_sampler(fit)), Trust::care);
}

TEST(Trust, OfAnAverageNamesTheModelsThatAReasonIsOf) {
  OutputRecord average{{test::good_record(), test::good_record()}, {0.9, 0.1}, "evidence"};
  average.members[1].options.correlation = "matern32";
  ASSERT_EQ(judge_samplers(average).size(), judge_sampler(average.members[0]).size());
  EXPECT_THAT(judge_samplers(average).front().text, HasSubstr("In every model the sampler converged"));
  average.members[1].diagnostics[0].effective_sample_size = 20.0;
  EXPECT_EQ(worst(judge_samplers(average)), Trust::bad);
  EXPECT_THAT(judge_samplers(average).back().text, HasSubstr("In matern32 (weight 0.1) the sampler has not converged"));
  // One that weighs nothing is not looked at.
  average.weights = {0.9999, 0.0001};
  EXPECT_EQ(worst(judge_samplers(average)), Trust::good);
}

TEST(Trust, KnowsAFlatInputFromABoxThatDecides) {
  MemberRecord fit = test::good_record();
  fit.diagnostics[1].mass_near_high = 0.4;
  EXPECT_EQ(worst(judge_sampler(fit)), Trust::good);
  EXPECT_THAT(judge_sampler(fit).back().text, HasSubstr("for load:"));
  fit.diagnostics[0].mass_near_low = 0.4;
  EXPECT_EQ(worst(judge_sampler(fit)), Trust::care);
}

TEST(Trust, CountsRunsWhoseLeaveOneOutRestsOnFewDraws) {
  LeftOutPredictions left_out;
  left_out.k_hat = {0.2, 0.69, 0.71, kInfinity};
  EXPECT_EQ(left_out.num_unreliable(), 2);
  EXPECT_EQ(worst(judge_reliability(left_out)), Trust::care);
  left_out.k_hat = {0.2, 0.69};
  EXPECT_TRUE(judge_reliability(left_out).empty());
}

TEST(Trust, TellsHardlyOutsideFromFar) {
  ValidationPredictions validation;
  validation.is_outside = {false, true};
  validation.farthest = 0.01;
  EXPECT_EQ(worst(judge_extrapolation(validation)), Trust::note);
  validation.farthest = 0.3;
  EXPECT_EQ(worst(judge_extrapolation(validation)), Trust::care);
  validation.is_outside = {false, false};
  EXPECT_TRUE(judge_extrapolation(validation).empty());
}

}  // namespace
}  // namespace ta2s2::detail
