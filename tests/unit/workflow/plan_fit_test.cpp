#include "ta2s2/workflow/plan_fit.hpp"

#include <gtest/gtest.h>

#include "ta2s2/error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

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

TEST(PlanFit, CountsModelsOfOutputs) {
  const OutputRuns weight = test::small_runs(14), few = test::small_runs(12);
  const OutputRuns sag(few.inputs(), few.inputs().col(0).array().sqrt(), few.input_names(), "sag");
  const FitPlan planned =
      plan_fits({weight, sag}, ValidFitOptions(test::small_options({{"model", "average"}})), {}, {1, 4}, 0.0);
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
  EXPECT_EQ(plan({{"model", "average"}}).work->num_rounds, 1);
  EXPECT_EQ(plan({{"model", "average"}, {"prior", "reference"}}).work->num_rounds, 2);
  EXPECT_EQ(plan({{"model", "average"}, {"prior", "reference"}, {"weighting", "equal"}}).work->num_rounds, 1);
  EXPECT_EQ(plan({{"model", "single"}, {"prior", "reference"}}).work->num_rounds, 1);
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
