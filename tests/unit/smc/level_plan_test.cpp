#include <gtest/gtest.h>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/linalg/weighted_covariance.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/level_plan.hpp"

namespace ta2s2 {
namespace {

std::shared_ptr<const Population> some_markers() {
  Population markers;
  Stream stream({1, Purpose::start_point, 0, 0, 0});
  markers.positions.resize(2, 200);
  markers.chain_begin = {0};
  for (Index i = 0; i < 200; ++i) {
    markers.positions.col(i) = draw_normals(stream, 2);
    const double e1 = 3.0 * markers.positions.col(i).squaredNorm();
    // E0 runs against E1, so that an order by E1 alone differs from one by the energy at beta.
    markers.energies.push_back(i % 10 == 0 ? Energy::impossible(Impossible::not_finite)
                                           : Energy{-e1 + 0.1 * static_cast<double>(i), e1, Impossible::no});
    markers.chain_begin.push_back(i + 1);
  }
  markers.group_begin = {0, 200};
  return std::make_shared<const Population>(std::move(markers));
}

constexpr double kBeta = 0.25;

LevelPlan plan_for(const std::string& kernel_name, const AnnealOptions& options = {}) {
  const auto markers = some_markers();
  MoveOptions kernel_options;
  kernel_options.name = kernel_name;
  return plan_level({3, kBeta, 0.7}, markers, reweight(markers->energies, kBeta), *make_move(kernel_options), options);
}

TEST(PlanLevel, CarriesWhatTheLevelStartsFrom) {
  const LevelPlan plan = plan_for("random-walk");
  EXPECT_EQ(plan.level, 3);
  EXPECT_EQ(plan.beta, kBeta);
  EXPECT_EQ(plan.walk_scale, 0.7);
  EXPECT_EQ(plan.dim(), 2);
  EXPECT_EQ(plan.markers->size(), 200);
}

TEST(PlanLevel, CovarianceIsThatOfTheWeightedMarkers) {
  const LevelPlan plan = plan_for("random-walk");
  const auto markers = some_markers();
  const Vector weights = reweight(markers->energies, kBeta).normalised();
  const Matrix expected = weighted_moments(markers->positions, weights).covariance;
  EXPECT_TRUE((plan.covariance_factor * plan.covariance_factor.transpose()).isApprox(expected, 1e-10));
}

TEST(PlanLevel, FitsAMixtureAndOrdersMarkersOnlyForKernelsThatAsk) {
  EXPECT_FALSE(plan_for("exact").mixture.components().empty());
  EXPECT_TRUE(plan_for("exact").markers_by_energy.empty());
  EXPECT_TRUE(plan_for("published").mixture.components().empty());
  EXPECT_EQ(plan_for("published").markers_by_energy.size(), 200u);
}

TEST(PlanLevel, MarkersAreOrderedByTheirEnergyAtThisLevel) {
  const LevelPlan plan = plan_for("published");
  const auto& energies = plan.markers->energies;
  for (std::size_t i = 1; i < 200; ++i) {
    EXPECT_LE(energies[static_cast<std::size_t>(plan.markers_by_energy[i - 1])].at(kBeta),
              energies[static_cast<std::size_t>(plan.markers_by_energy[i])].at(kBeta));
  }
}

TEST(PlanLevel, ChainsNeverStartAtAnImpossiblePoint) {
  for (const Growth growth : {Growth::equal, Growth::tmcmc}) {
    AnnealOptions options;
    options.growth = growth;
    const LevelPlan plan = plan_for("random-walk", options);
    for (const Index start : plan.chains.starts) {
      EXPECT_TRUE(plan.markers->energies[static_cast<std::size_t>(start)].possible());
    }
  }
}

TEST(PlanLevel, ChainLengthIsTheUsersOrTheDefault) {
  AnnealOptions options;
  EXPECT_EQ(plan_for("random-walk", options).chains.lengths[0], default_chain_length(2, options.num_samples));
  options.chain_length = 7;
  EXPECT_EQ(plan_for("random-walk", options).chains.lengths[0], 7);
}

TEST(AdaptWalkScale, RestsAtTheTargetAndMovesTowardsIt) {
  EXPECT_DOUBLE_EQ(adapt_walk_scale(1.3, 0.35, 3), 1.3);
  EXPECT_DOUBLE_EQ(adapt_walk_scale(1.3, 0.25, 4), 1.3);
  EXPECT_GT(adapt_walk_scale(1.0, 0.9, 2), 1.0);
  EXPECT_LT(adapt_walk_scale(1.0, 0.0, 2), 1.0);
}

TEST(AdaptWalkScale, StaysInBounds) {
  double up = 1.0, down = 1.0;
  for (int level = 0; level < 100; ++level) {
    up = adapt_walk_scale(up, 1.0, 2);
    down = adapt_walk_scale(down, 0.0, 2);
  }
  EXPECT_LE(up, 5.0);
  EXPECT_GE(down, 0.02);
}

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
