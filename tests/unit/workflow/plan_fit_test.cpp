#include "ta2s2/workflow/plan_fit.hpp"

#include <gtest/gtest.h>

#include "ta2s2/base/error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

FitPlan plan(const std::vector<Setting>& settings = {}, const Dataset& data = test::small_runs(),
             const std::vector<Index>& cores = {1, 4}) {
  return plan_fit(data, ValidFitOptions(test::small_options(settings)), {}, cores, 1, 0.0);
}

TEST(PlanFit, TellsTheFitsOwnShape) {
  const FitPlan planned = plan();
  EXPECT_EQ(planned.num_runs, 14);
  EXPECT_EQ(planned.dim, 3);
  ASSERT_TRUE(planned.work);
  EXPECT_EQ(planned.work->shape.num_chains(), test::small_fit().levels.back().num_chains);
  EXPECT_GT(planned.evaluation.in_block_seconds, 0.0);
  EXPECT_GT(planned.evaluation.alone_seconds, 0.0);
  ASSERT_EQ(planned.work->times.size(), 2u);
  EXPECT_EQ(planned.work->times[1].cores, 4);
}

TEST(PlanFit, ACheckIsTwoFits) {
  EXPECT_EQ(plan({{"check", "true"}}).work->num_fits, 2);
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
  const Dataset data = test::small_runs(200);
  EXPECT_GT(plan({{"prior", "reference"}}, data).memory.bytes_per_thread, 5.0 * plan({}, data).memory.bytes_per_thread);
  EXPECT_GT(plan({{"samples", "100000"}}, data).memory.shared_bytes, plan({}, data).memory.shared_bytes + 1e7);
}

TEST(MemoryUse, OfThreadsAddsUp) {
  const MemoryUse use{100.0, 10.0};
  EXPECT_EQ(use.total(8), 180.0);
}

}  // namespace
}  // namespace ta2s2
