#include "ta2s2/workflow/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

FitShape shape(Index num_runs, Index dim, Index num_samples, Index lanes = 1) {
  FitShape made;
  made.num_runs = num_runs;
  made.dim = dim;
  made.num_samples = num_samples;
  made.num_groups = 4;
  made.given_chain_length = 50;
  made.lanes = lanes;
  return made;
}

constexpr EvaluationTime kMillisecond{1e-3, 1e-3};

// On so many cores, of one fit.
double seconds_of(const FitShape& fit, Index cores, const EvaluationTime& evaluation = kMillisecond) {
  return forecast_seconds({{fit, evaluation}}, cores).expected;
}

TEST(FitShape, ChainsAreWholeInEveryGroup) {
  EXPECT_EQ(shape(100, 11, 2000).num_chains(), 40);
  EXPECT_EQ(shape(100, 11, 2001).num_chains(), 44);  // 501 draws of a group are eleven chains
}

TEST(FitShape, LanesShareATask) {
  EXPECT_EQ(shape(100, 11, 2000, 8).num_tasks(), 4);
  EXPECT_EQ(shape(300, 11, 2000, 1).num_tasks(), 40);
}

TEST(SamplesForCores, GiveThatManyTasks) {
  for (const Index lanes : {1, 4, 8}) {
    for (const Index cores : {1, 8, 64, 1024}) {
      FitShape wider = shape(300, 11, 2000, lanes);
      wider.num_samples = samples_for_shapes({wider}, cores);
      EXPECT_GE(wider.num_tasks(), cores);
      wider.num_samples -= wider.num_groups;
      if (wider.num_samples > 0) {
        EXPECT_LT(wider.num_tasks(), cores);
      }
    }
  }
}

// Chains of default length grow with the samples: a count from today's short ones would be too small.
TEST(SamplesForCores, FollowTheDefaultLengthOfChains) {
  FitShape few = shape(300, 11, 600);
  few.given_chain_length = 0;
  ASSERT_LT(few.chain_length(), 50);
  EXPECT_EQ(samples_for_shapes({few}, 64), samples_for_shapes({shape(300, 11, 600)}, 64));
}

TEST(FitForecast, MoreRunsDimensionsAndSamplesAreMoreWork) {
  const FitForecast base = forecast_fit(shape(100, 5, 2000));
  EXPECT_GT(forecast_fit(shape(300, 5, 2000)).levels.expected, base.levels.expected);
  EXPECT_GT(forecast_fit(shape(100, 8, 2000)).levels.expected, base.levels.expected);
  EXPECT_GT(forecast_fit(shape(100, 8, 2000)).mode_evaluations.expected, base.mode_evaluations.expected);
  EXPECT_GT(forecast_fit(shape(100, 5, 4000)).evaluations.expected, 1.9 * base.evaluations.expected);
}

TEST(FitForecast, SmallerStepsAreMoreLevels) {
  FitShape small_steps = shape(100, 5, 2000);
  small_steps.ess_target = 0.8;
  EXPECT_GT(forecast_fit(small_steps).levels.expected, 1.5 * forecast_fit(shape(100, 5, 2000)).levels.expected);
}

TEST(FitForecast, AMoveAsksAtLeastOnce) {
  const FitShape one = shape(10, 1, 100'000);
  const FitForecast forecast = forecast_fit(one);
  EXPECT_GE(forecast.evaluations.expected,
            100'000 + forecast.levels.expected * static_cast<double>(one.num_chains() * one.chain_length()));
}

TEST(FitForecast, RangesHoldWhatIsExpected) {
  const FitForecast forecast = forecast_fit(shape(100, 5, 2000));
  for (const Range& range : {forecast.levels, forecast.evaluations, forecast.mode_evaluations}) {
    EXPECT_LT(range.low, range.expected);
    EXPECT_LT(range.expected, range.high);
  }
}

TEST(ForecastSeconds, NeverGrowWithCoresAndStopAtTheTasks) {
  const FitShape fit = shape(300, 11, 5000);
  double last = seconds_of(fit, 1);
  for (Index cores = 2; cores <= 200; ++cores) {
    const double now = seconds_of(fit, cores);
    EXPECT_LE(now, last) << cores;
    last = now;
  }
  // Level 0 alone has more tasks.
  EXPECT_NEAR(seconds_of(fit, fit.num_tasks()), last, 0.05 * last);
}

TEST(ForecastSeconds, OneCoreDoesOneEvaluationAfterAnother) {
  const FitShape fit = shape(300, 11, 2000);
  const FitForecast work = forecast_fit(fit);
  const double evaluations = work.evaluations.expected + work.mode_evaluations.expected;
  const double seconds = seconds_of(fit, 1);
  EXPECT_GT(seconds, 1e-3 * evaluations);
  EXPECT_LT(seconds, 1.02 * 1e-3 * evaluations);  // the moves' own microseconds, and planning
}

TEST(ForecastSeconds, GrowWithRunsSamplesAndTheTimeOfAnEvaluation) {
  const double base = seconds_of(shape(300, 11, 2000), 1);
  EXPECT_GT(seconds_of(shape(600, 11, 2000), 1), base);
  EXPECT_GT(seconds_of(shape(300, 11, 4000), 1), base);
  EXPECT_GT(seconds_of(shape(300, 11, 2000), 1, {2e-3, 2e-3}), 1.9 * base);
}

// Of a function that no law was fitted to. The range of nine in ten reaches a factor of exp(1.645 * 0.151) = 1.28 for
// levels and 1.23 for evaluations to either side; levels are whole numbers, so one more than that may be rounding. 1.6
// is three standard deviations, and a law without its term in n or d would miss by more. The prior and its box are
// those of the fits that the laws were fitted to; a wider box takes more levels, which no term is for.
TEST(FitForecast, IsWithinAFactorOfAnActualFit) {
  const OutputRuns data = test::small_runs(40);
  const MemberRecord record = test::small_fit(
      {{"sampler", "annealed"}, {"prior", "jointly-robust"}, {"box", "-7,7"}, {"samples", "1000"}}, data);
  FitShape fit = shape(40, 3, 1000);
  fit.given_chain_length = 0;
  const FitForecast forecast = forecast_fit(fit);
  double evaluations = 0.0;
  for (const LevelSummary& level : record.levels) evaluations += static_cast<double>(level.evaluations);
  constexpr double kFactor = 1.6;
  const double levels = static_cast<double>(record.levels.size()) - 1.0;
  EXPECT_LT(std::abs(std::log(levels / forecast.levels.expected)), std::log(kFactor));
  EXPECT_LT(std::abs(std::log(evaluations / forecast.evaluations.expected)), std::log(kFactor));
  EXPECT_EQ(record.levels.back().num_chains, fit.num_chains());
}

// ---- fits side by side ----

TEST(SamplesForCores, FewerWhereFitsShareThem) {
  EXPECT_LT(samples_for_shapes({shape(300, 11, 600), shape(300, 11, 600)}, 64),
            samples_for_shapes({shape(300, 11, 600)}, 64));
}

TEST(ForecastSeconds, OnOneCoreFitsAddUp) {
  const TimedFit first{shape(300, 11, 2000), kMillisecond}, second{shape(200, 5, 2000), {2e-3, 2e-3}};
  const double apart = seconds_of(first.shape, 1, first.evaluation) + seconds_of(second.shape, 1, second.evaluation);
  EXPECT_NEAR(forecast_seconds({first, second}, 1).expected, apart, 1e-9 * apart);
}

// Forty tasks leave 24 of 64 cores idle; eighty do not.
TEST(ForecastSeconds, CoresThatOneFitLeavesIdleServeAnother) {
  const FitShape fit = shape(300, 11, 2000);
  ASSERT_EQ(fit.num_tasks(), 40);
  const double one = seconds_of(fit, 80);
  const double two = forecast_seconds({{fit, kMillisecond}, {fit, kMillisecond}}, 80).expected;
  EXPECT_LT(two, 1.1 * one);
  EXPECT_GE(two, one);
}

// ---- a plan ----

FitPlan plan(const std::vector<Setting>& settings = {}, const OutputRuns& data = test::small_runs(),
             const std::vector<Index>& cores = {1, 4}) {
  return plan_fits({data}, ValidFitOptions(test::small_options(settings)), {}, cores, 0.0);
}

TEST(PlanFit, TellsTheFitsOwnShape) {
  const FitPlan planned = plan({{"model", "single"}});
  ASSERT_EQ(planned.models.size(), 1u);
  const PlannedModel& model = planned.models.front();
  EXPECT_EQ(model.num_runs, 14);
  EXPECT_EQ(model.num_inputs, 2);
  EXPECT_EQ(model.dim, 3);
  EXPECT_EQ(model.name, "");
  ASSERT_TRUE(planned.work);
  EXPECT_EQ(model.shape.num_chains(), test::small_fit().levels.back().num_chains);
  EXPECT_EQ(planned.work->num_tasks, model.shape.num_tasks());
  EXPECT_GT(model.evaluation.in_block_seconds, 0.0);
  EXPECT_GT(model.evaluation.alone_seconds, 0.0);
  ASSERT_EQ(planned.work->times.size(), 2u);
  EXPECT_EQ(planned.work->times[1].cores, 4);
}

TEST(PlanFit, ACheckIsTwoRounds) {
  EXPECT_EQ(plan({{"check", "true"}}).work->num_rounds, 2);
}

const Setting kTwoMembers = {"average-over", "squared-exponential,matern52"};

TEST(PlanFit, CountsModelsOfOutputs) {
  const OutputRuns weight = test::small_runs(14), few = test::small_runs(12);
  const OutputRuns sag(few.inputs(), few.inputs().col(0).array().sqrt(), few.input_names(), "sag");
  const ValidFitOptions options(test::small_options({{"model", "average"}, kTwoMembers}));
  const FitPlan planned = plan_fits({weight, sag}, options, {}, {1, 4}, 0.0);
  std::vector<std::string> names;
  for (const PlannedModel& model : planned.models) names.push_back(model.name);
  EXPECT_EQ(names, (std::vector<std::string>{"weight, squared-exponential", "weight, matern52",
                                             "sag, squared-exponential", "sag, matern52"}));
  EXPECT_EQ(planned.models[0].num_runs, 14);
  EXPECT_EQ(planned.models[3].num_runs, 12);
  EXPECT_EQ(planned.work->forecasts.size(), 4u);
  EXPECT_EQ(planned.work->num_tasks, 4 * planned.models[0].shape.num_tasks());
  const double one = plan({{"model", "single"}}).memory.bytes_per_thread;
  EXPECT_GT(planned.memory.bytes_per_thread, 3.0 * one);
  EXPECT_LT(planned.memory.bytes_per_thread, 4.0 * one);
}

TEST(PlanFit, OutputsOfAsManyRunsAreTimedOnce) {
  const OutputRuns weight = test::small_runs();
  const OutputRuns sag(weight.inputs(), weight.inputs().col(0).array().sqrt(), weight.input_names(), "sag");
  const FitPlan planned =
      plan_fits({weight, sag}, ValidFitOptions(test::small_options({{"model", "single"}})), {}, {1}, 0.0);
  EXPECT_EQ(planned.models[0].evaluation.in_block_seconds, planned.models[1].evaluation.in_block_seconds);
}

TEST(PlanFit, AnUnknownConstantOfThePriorIsAnotherRoundOfAnAverageByEvidence) {
  const auto num_rounds = [](const char* prior, const char* model, const char* weighting) {
    return plan({{"sampler", "annealed"}, {"prior", prior}, {"model", model}, {"weighting", weighting}, kTwoMembers})
        .work->num_rounds;
  };
  EXPECT_EQ(num_rounds("jointly-robust", "average", "evidence"), 1);
  EXPECT_EQ(num_rounds("reference", "average", "evidence"), 2);
  EXPECT_EQ(num_rounds("reference", "average", "stacking"), 1);
  EXPECT_EQ(num_rounds("reference", "average", "equal"), 1);
  EXPECT_EQ(num_rounds("reference", "single", "evidence"), 1);
}

TEST(PlanFit, SaysWhereItKnowsNoLaw) {
  const FitPlan planned = plan({{"sampler", "slice"}});
  EXPECT_FALSE(planned.work);
  EXPECT_NE(planned.unknown.find("--sampler slice"), std::string::npos);
}

TEST(PlanFit, RefusesWhatAFitRefuses) {
  EXPECT_THROW(plan({}, test::small_runs(2)), Error);
}

// docs/clusters.md: four bytes per pair of runs and thread, with as much again that the allocator may keep.
TEST(MemoryUse, GrowsWithTheSquareOfRuns) {
  const double small = plan({}, test::small_runs(400)).memory.bytes_per_thread;
  const double large = plan({}, test::small_runs(800)).memory.bytes_per_thread;
  EXPECT_NEAR(large / small, 4.0, 1e-9);
  EXPECT_NEAR(small, 2.0 * 4.0 * 400.0 * 400.0, 1.0);
}

TEST(MemoryUse, AReferencePriorAndSamplesTakeMore) {
  const OutputRuns data = test::small_runs(200);
  EXPECT_GT(plan({{"prior", "reference"}}, data).memory.bytes_per_thread, 5.0 * plan({}, data).memory.bytes_per_thread);
  EXPECT_GT(plan({{"samples", "100000"}}, data).memory.shared_bytes, plan({}, data).memory.shared_bytes + 1e7);
}

TEST(MemoryUse, OfThreadsAddsUp) {
  const MemoryUse use{100.0, 10.0};
  EXPECT_EQ(use.total(8), 180.0);
}

}  // namespace
}  // namespace ta2s2
