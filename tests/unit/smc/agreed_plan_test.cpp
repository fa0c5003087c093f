#include "ta2s2/smc/agreed_plan.hpp"

#include <gtest/gtest.h>

#include "ta2s2/exec/thread_executor.hpp"

namespace ta2s2 {
namespace {

// A process that is told the plan of another.
class Follower final : public Executor {
 public:
  explicit Follower(Payload plan) : plan_(std::move(plan)) {}
  int num_workers() const override { return 1; }
  std::vector<Payload> map(std::span<const double>, const Task&, const Arrival&) override { return {}; }
  Payload agree(Payload) override { return plan_; }

 private:
  Payload plan_;
};

// And the one that tells it.
class Leader final : public Executor {
 public:
  int num_workers() const override { return 1; }
  std::vector<Payload> map(std::span<const double>, const Task&, const Arrival&) override { return {}; }
  Payload agree(Payload payload) override { return told = std::move(payload); }

  Payload told;
};

LevelPlan plan_with(double shift, int num_components) {
  LevelPlan plan;
  plan.level = 3;
  plan.beta = 0.25 + shift;
  plan.walk_scale = 0.7 + shift;
  plan.covariance_factor = (Matrix(2, 2) << 1.0 + shift, 0.0, 0.5, 2.0).finished();
  std::vector<TComponent> components;
  for (int c = 0; c < num_components; ++c) {
    components.push_back({1.0 / num_components, Vector::Constant(2, shift + c), plan.covariance_factor});
  }
  if (num_components > 0) plan.mixture = ProposalMixture(std::move(components));
  plan.markers_by_energy = {2, 0, 1};
  plan.chains = {{0, 2, num_components}, {5, 5, 4}, {0, 1, 3}};
  return plan;
}

void expect_equal(const LevelPlan& a, const LevelPlan& b) {
  EXPECT_EQ(a.beta, b.beta);
  EXPECT_EQ(a.walk_scale, b.walk_scale);
  EXPECT_EQ(a.covariance_factor, b.covariance_factor);
  ASSERT_EQ(a.mixture.components().size(), b.mixture.components().size());
  for (std::size_t c = 0; c < a.mixture.components().size(); ++c) {
    EXPECT_EQ(a.mixture.components()[c].weight, b.mixture.components()[c].weight);
    EXPECT_EQ(a.mixture.components()[c].mean, b.mixture.components()[c].mean);
    EXPECT_EQ(a.mixture.components()[c].factor, b.mixture.components()[c].factor);
  }
  EXPECT_EQ(a.markers_by_energy, b.markers_by_energy);
  EXPECT_EQ(a.chains.starts, b.chains.starts);
  EXPECT_EQ(a.chains.lengths, b.chains.lengths);
  EXPECT_EQ(a.chains.group_begin, b.chains.group_begin);
}

// A last digit, and a whole component: both are the first process's.
TEST(AgreedPlan, IsTheFirstProcesss) {
  for (const int num_components : {0, 1, 3}) {
    const LevelPlan first = plan_with(0.0, num_components);
    Leader leader;
    expect_equal(agreed_plan(first, leader), first);
    Follower follower(leader.told);
    const LevelPlan other = plan_with(1e-16, num_components == 3 ? 2 : num_components);
    expect_equal(agreed_plan(other, follower), first);
  }
}

TEST(AgreedPlan, IsTheOwnPlanOfAProcessAlone) {
  ThreadExecutor alone(1);
  const LevelPlan plan = plan_with(0.125, 2);
  expect_equal(agreed_plan(plan, alone), plan);
}

}  // namespace
}  // namespace ta2s2
