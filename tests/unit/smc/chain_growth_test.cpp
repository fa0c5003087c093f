#include "ta2s2/smc/chain_growth.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "ta2s2/error.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"

namespace ta2s2 {
namespace {

// E1 = x^2 on x > -100; records how wide its blocks were.
class CountingTarget final : public TargetDensity {
 public:
  explicit CountingTarget(int lanes) : lanes_(lanes) {}
  Index dim() const override { return 1; }
  std::vector<std::string> names() const override { return {"x"}; }
  int lanes() const override { return lanes_; }
  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    EXPECT_EQ(static_cast<std::size_t>(points.cols()), out.size());
    points_evaluated += points.cols();
    if (points.cols() > widest.load()) widest = points.cols();
    for (Index i = 0; i < points.cols(); ++i) {
      const double x = points(0, i);
      if (x == 666.0) throw std::domain_error("target at 666");
      out[static_cast<std::size_t>(i)] =
          x > -100.0 ? Energy{1.0, x * x, Impossible::no} : Energy::impossible(Impossible::outside_box);
    }
  }
  Vector draw_start(Stream& stream) const override { return Vector{{draw_uniform(stream)}}; }

  mutable std::atomic<Index> points_evaluated{0}, widest{0};

 private:
  int lanes_;
};

// x -> x + 1. Asks for the energy of x + 1 once and again for each unit of x's last digit, so that lanes
// drift apart; part 1 is used on odd x.
class ScriptedKernel final : public Move {
 public:
  std::string name() const override { return "scripted"; }
  std::vector<std::string> part_names() const override { return {"even", "odd"}; }
  ChainTask<Step> move(ChainState state, const LevelPlan&, EnergyRequest& energy, Stream&) const override {
    const long whole = std::labs(static_cast<long>(state.position[0]));
    const Vector candidate = state.position.array() + 1.0;
    Energy found;
    for (long asked = 0; asked <= whole % 10; ++asked) found = co_await energy(candidate);
    co_return Step{{candidate, found}, static_cast<int>(whole % 2), true};
  }
};

// Ends where its stream says, so that a test can tell which stream it was given.
class StreamEchoKernel final : public Move {
 public:
  std::string name() const override { return "echo"; }
  ChainTask<Step> move(ChainState, const LevelPlan&, EnergyRequest& energy, Stream& stream) const override {
    const Vector candidate{{draw_uniform(stream)}};
    const Energy found = co_await energy(candidate);
    co_return Step{{candidate, found}, 0, true};
  }
};

// Stays, without asking for anything.
class IdleKernel final : public Move {
 public:
  std::string name() const override { return "idle"; }
  ChainTask<Step> move(ChainState state, const LevelPlan&, EnergyRequest&, Stream&) const override {
    co_return Step{std::move(state), 0, false};
  }
};

class FailingKernel final : public Move {
 public:
  std::string name() const override { return "failing"; }
  ChainTask<Step> move(ChainState state, const LevelPlan&, EnergyRequest& energy, Stream&) const override {
    co_await energy(state.position);
    throw std::length_error("kernel");
  }
};

// Marker i stands at 10 i.
LevelPlan plan_of(std::vector<Index> starts, std::vector<Index> lengths) {
  Population markers;
  markers.positions.resize(1, 20);
  for (Index i = 0; i < 20; ++i) {
    const double x = 10.0 * static_cast<double>(i);
    markers.positions(0, i) = x;
    markers.energies.push_back({1.0, x * x, Impossible::no});
  }
  LevelPlan plan;
  plan.level = 4;
  plan.covariance_factor = Matrix{{2.0}};
  plan.markers = std::make_shared<const Population>(std::move(markers));
  plan.chains = {std::move(starts), std::move(lengths), {}};
  return plan;
}

TEST(GrowChains, KeepsEveryStateAfterAMoveAndNotTheStart) {
  ThreadExecutor executor(1);
  const auto moves = grow_chains(CountingTarget(4), ScriptedKernel(), plan_of({3, 0, 3}, {2, 1, 4}), 1, executor);
  EXPECT_EQ(moves.population.chain_begin, (std::vector<Index>{0, 2, 3, 7}));
  EXPECT_EQ(moves.population.positions, (Matrix{{31.0, 32.0, 1.0, 31.0, 32.0, 33.0, 34.0}}));
  for (Index i = 0; i < 7; ++i) {
    const double x = moves.population.positions(0, i);
    EXPECT_EQ(moves.population.energies[static_cast<std::size_t>(i)].total(), 1.0 + x * x);
  }
}

TEST(GrowChains, CountsWhatEachPartDid) {
  ThreadExecutor executor(2);
  const CountingTarget target(4);
  // From 0: 0 -> 1 -> 2 -> 3 asks 1, 2, 3 times; its moves 0 and 2 are even, 1 is odd.
  const auto moves = grow_chains(target, ScriptedKernel(), plan_of({0, 1}, {3, 1}), 1, executor);
  ASSERT_EQ(moves.parts.size(), 2u);
  EXPECT_EQ(moves.parts[0].name, "even");
  EXPECT_EQ(moves.parts[0].steps, 3);
  EXPECT_EQ(moves.parts[0].evaluations, 1 + 3 + 1);
  EXPECT_EQ(moves.parts[1].steps, 1);
  EXPECT_EQ(moves.parts[1].moved, 1);
  EXPECT_EQ(moves.parts[1].evaluations, 2);
  EXPECT_DOUBLE_EQ(moves.parts[0].squared_jump, 3 * 0.25);  // jumps of 1 where Sigma = 4, d = 1
  EXPECT_EQ(moves.evaluations, 7);
  EXPECT_EQ(target.points_evaluated.load(), 7);
  EXPECT_EQ(moves.impossible[static_cast<std::size_t>(Impossible::no)], 7);
}

TEST(GrowChains, CountsImpossibleCandidatesByReason) {
  ThreadExecutor executor(1);
  LevelPlan plan = plan_of({0}, {2});
  auto markers = *plan.markers;
  markers.positions(0, 0) = -300.0;
  plan.markers = std::make_shared<const Population>(std::move(markers));
  const auto moves = grow_chains(CountingTarget(4), ScriptedKernel(), plan, 1, executor);
  EXPECT_EQ(moves.impossible[static_cast<std::size_t>(Impossible::outside_box)], moves.evaluations);
}

// Chains of very different lengths: lanes fall idle one after the other and the rest go on.
TEST(GrowChains, LanesThatFinishEarlyDoNotDisturbTheOthers) {
  ThreadExecutor executor(2);
  const std::vector<Index> starts = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<Index> lengths = {9, 1, 5, 2, 1, 7, 3, 1, 4};
  const auto alone = grow_chains(CountingTarget(1), ScriptedKernel(), plan_of(starts, lengths), 1, executor);
  for (const int lanes : {2, 4, 8}) {
    const CountingTarget target(lanes);
    const auto moves = grow_chains(target, ScriptedKernel(), plan_of(starts, lengths), 1, executor);
    EXPECT_EQ(moves.population.positions, alone.population.positions) << lanes;
    EXPECT_EQ(moves.evaluations, alone.evaluations) << lanes;
    EXPECT_EQ(target.widest.load(), lanes);
  }
}

TEST(GrowChains, AChainOfNoStepsHasNoStates) {
  ThreadExecutor executor(1);
  const auto moves = grow_chains(CountingTarget(2), ScriptedKernel(), plan_of({1, 2, 3}, {0, 1, 0}), 1, executor);
  EXPECT_EQ(moves.population.positions, (Matrix{{21.0}}));
  EXPECT_EQ(moves.population.chain_begin, (std::vector<Index>{0, 0, 1, 1}));
}

TEST(GrowChains, AKernelThatAsksForNothingStaysWhereItIs) {
  ThreadExecutor executor(1);
  const CountingTarget target(4);
  const auto moves = grow_chains(target, IdleKernel(), plan_of({2, 5}, {3, 1}), 1, executor);
  EXPECT_EQ(moves.population.positions, (Matrix{{20.0, 20.0, 20.0, 50.0}}));
  EXPECT_EQ(target.points_evaluated.load(), 0);
  EXPECT_EQ(moves.parts[0].acceptance(), 0.0);
}

TEST(GrowChains, AStepsStreamIsNamedBySeedLevelChainAndStep) {
  ThreadExecutor executor(1);
  const auto moves = grow_chains(CountingTarget(4), StreamEchoKernel(), plan_of({5, 5}, {2, 3}), 77, executor);
  const std::pair<std::uint64_t, std::uint64_t> chain_and_step[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}};
  for (Index i = 0; i < 5; ++i) {
    const auto [chain, step] = chain_and_step[i];
    Stream stream({77, Purpose::move, 4, chain, step});
    EXPECT_EQ(moves.population.positions(0, i), draw_uniform(stream));
  }
}

TEST(GrowChains, AnErrorInTheKernelOrTheTargetReachesTheCaller) {
  ThreadExecutor executor(2);
  EXPECT_THROW(grow_chains(CountingTarget(4), FailingKernel(), plan_of({1, 2, 3}, {2, 2, 2}), 1, executor),
               std::length_error);
  LevelPlan plan = plan_of({0, 1, 2}, {1, 1, 1});
  auto markers = *plan.markers;
  markers.positions(0, 1) = 665.0;
  plan.markers = std::make_shared<const Population>(std::move(markers));
  EXPECT_THROW(grow_chains(CountingTarget(4), ScriptedKernel(), plan, 1, executor), std::domain_error);
}

TEST(GrowChains, AStopEndsALevelInItsMiddle) {
  StopFlag stop{true};
  ThreadExecutor executor(2, &stop);
  EXPECT_THROW(grow_chains(CountingTarget(4), ScriptedKernel(), plan_of({1}, {1000}), 1, executor), Error);
}

TEST(DrawStartPoints, ArePaidForOnceAndNamedByTheirIndex) {
  ThreadExecutor executor(2);
  const CountingTarget target(4);
  const auto moves = draw_start_points(target, 101, 9, executor);
  EXPECT_EQ(moves.population.size(), 101);
  EXPECT_EQ(moves.population.num_chains(), 101);
  EXPECT_EQ(target.points_evaluated.load(), 101);
  EXPECT_EQ(moves.evaluations, 101);
  EXPECT_LE(target.widest.load(), 4);
  for (const Index i : {0, 1, 37, 100}) {
    Stream stream({9, Purpose::start_point, 0, static_cast<std::uint64_t>(i), 0});
    const double x = draw_uniform(stream);
    EXPECT_EQ(moves.population.positions(0, i), x);
    EXPECT_EQ(moves.population.energies[static_cast<std::size_t>(i)].tempered, x * x);
  }
}

}  // namespace
}  // namespace ta2s2
