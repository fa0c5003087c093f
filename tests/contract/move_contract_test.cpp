// The laws of smc/move.hpp, for every kernel in the list and every reading of `published`.
#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/anneal.hpp"
#include "ta2s2/smc/chain_growth.hpp"
#include "ta2s2/smc/level_plan.hpp"

namespace ta2s2 {
namespace {

constexpr double kLow = -2.0, kHigh = 3.0;

// A banana in a tight box, with a hole in the middle where it has no density: candidates often land on
// neither.
class HoledTarget final : public TargetDensity {
 public:
  explicit HoledTarget(int lanes = 4) : lanes_(lanes) {}
  Index dim() const override { return 2; }
  std::vector<std::string> names() const override { return {"x", "y"}; }
  int lanes() const override { return lanes_; }

  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    for (Index i = 0; i < points.cols(); ++i) out[static_cast<std::size_t>(i)] = energy(points(0, i), points(1, i));
  }

  Vector draw_start(Stream& stream) const override {
    const double x = kLow + (kHigh - kLow) * draw_uniform(stream);
    return Vector{{x, kLow + (kHigh - kLow) * draw_uniform(stream)}};
  }

  static Energy energy(double x, double y) {
    if (x < kLow || x > kHigh || y < kLow || y > kHigh) return Energy::impossible(Impossible::outside_box);
    if (std::hypot(x, y) < 0.4) return Energy::impossible(Impossible::not_finite);
    const double start = 2.0 * std::log(kHigh - kLow);
    return {start, 0.5 * x * x + 8.0 * std::pow(y - 0.5 * x * x, 2), Impossible::no};
  }

 private:
  int lanes_;
};

struct KernelCase {
  std::string label;
  MoveOptions options;
};

std::vector<KernelCase> kernel_cases() {
  std::vector<KernelCase> cases;
  for (const std::string& name : move_names()) {
    std::string label = name;
    std::erase(label, '-');
    cases.push_back({label, {name, {}, {}}});
  }
  cases.push_back({"published_algorithm1", {"published", {.reading = PublishedOptions::Reading::algorithm1}, {}}});
  cases.push_back({"published_exponential", {"published", {.pull = PublishedOptions::Pull::exponential}, {}}});
  cases.push_back({"published_renewing", {"published", {.renewal_probability = 1.0}, {}}});
  return cases;
}

class MoveContract : public testing::TestWithParam<KernelCase> {
 protected:
  static constexpr Index kMarkers = 300;

  MoveContract() : kernel_(make_move(GetParam().options)) {
    ThreadExecutor executor(1);
    auto markers =
        std::make_shared<const Population>(draw_start_points(HoledTarget(), kMarkers, 3, executor).population);
    AnnealOptions options;
    options.num_samples = 400;
    constexpr double kBeta = 0.4;
    plan_ = plan_level({2, kBeta, 0.8}, markers, reweight(markers->energies, kBeta), *kernel_, options);
  }

  // The states the level's chains start from, all possible.
  ChainState start(std::size_t chain) const {
    const Index marker = plan_.chains.starts[chain];
    return {plan_.markers->positions.col(marker), plan_.markers->energies[static_cast<std::size_t>(marker)]};
  }

  Step move_once(const ChainState& state, std::uint64_t step) const {
    Stream stream({5, Purpose::move, 2, 0, step});
    EnergyRequest request;
    ChainTask<Step> task = kernel_->move(state, plan_, request, stream);
    task.start();
    while (!task.done()) {
      const Vector& candidate = request.candidate();
      request.answer(HoledTarget::energy(candidate[0], candidate[1]));
    }
    return task.take_result();
  }

  std::unique_ptr<Move> kernel_;
  LevelPlan plan_;
};

INSTANTIATE_TEST_SUITE_P(Kernels, MoveContract, testing::ValuesIn(kernel_cases()),
                         [](const auto& instance) { return instance.param.label; });

TEST_P(MoveContract, KnowsItsNameAndParts) {
  EXPECT_EQ(kernel_->name(), GetParam().options.name);
  const auto num_parts = static_cast<int>(kernel_->part_names().size());
  EXPECT_GE(num_parts, 1);
  EXPECT_LT(kernel_->walk_part(), num_parts);
  EXPECT_EQ(kernel_->is_exact(), GetParam().options.name != "published");
}

TEST_P(MoveContract, IsAFunctionOfStatePlanAndStream) {
  for (std::uint64_t step = 0; step < 50; ++step) {
    const Step a = move_once(start(step % 20), step), b = move_once(start(step % 20), step);
    EXPECT_EQ(a.state.position, b.state.position);
    EXPECT_EQ(a.part, b.part);
    EXPECT_EQ(a.moved, b.moved);
  }
}

TEST_P(MoveContract, CarriesTheEnergyOfItsPositionToTheBit) {
  ChainState state = start(0);
  for (std::uint64_t step = 0; step < 500; ++step) {
    const Step next = move_once(state, step);
    const Energy fresh = HoledTarget::energy(next.state.position[0], next.state.position[1]);
    ASSERT_EQ(next.state.energy.start, fresh.start);
    ASSERT_EQ(next.state.energy.tempered, fresh.tempered);
    ASSERT_EQ(next.state.energy.reason, fresh.reason);
    state = next.state;
  }
}

TEST_P(MoveContract, NeverLeavesTheBoxNorEntersTheHole) {
  for (std::size_t chain = 0; chain < 20; ++chain) {
    ChainState state = start(chain);
    for (std::uint64_t step = 0; step < 100; ++step) {
      state = move_once(state, 1000 * chain + step).state;
      ASSERT_TRUE(state.energy.possible());
      ASSERT_GE(state.position.minCoeff(), kLow);
      ASSERT_LE(state.position.maxCoeff(), kHigh);
      ASSERT_GE(state.position.norm(), 0.4);
    }
  }
}

TEST_P(MoveContract, SaysWhichPartItWasAndWhetherItMoved) {
  ChainState state = start(1);
  const auto num_parts = static_cast<int>(kernel_->part_names().size());
  std::vector<int> used(static_cast<std::size_t>(num_parts), 0);
  int moved = 0;
  for (std::uint64_t step = 0; step < 500; ++step) {
    const Step next = move_once(state, step);
    ASSERT_GE(next.part, 0);
    ASSERT_LT(next.part, num_parts);
    ++used[static_cast<std::size_t>(next.part)];
    EXPECT_EQ(next.moved, next.state.position != state.position);
    moved += next.moved ? 1 : 0;
    state = next.state;
  }
  for (const int count : used) EXPECT_GT(count, 0);
  EXPECT_GT(moved, 50);  // it goes somewhere
}

TEST_P(MoveContract, DoesNotDependOnWhoSharesItsBlock) {
  ThreadExecutor executor(2);
  const LevelMoves alone = grow_chains(HoledTarget(1), *kernel_, plan_, 9, executor);
  for (const int lanes : {4, 8}) {
    const LevelMoves shared = grow_chains(HoledTarget(lanes), *kernel_, plan_, 9, executor);
    EXPECT_EQ(shared.population.positions, alone.population.positions) << lanes;
    EXPECT_EQ(shared.population.chain_begin, alone.population.chain_begin) << lanes;
    for (std::size_t i = 0; i < alone.population.energies.size(); ++i) {
      ASSERT_EQ(shared.population.energies[i].start, alone.population.energies[i].start);
      ASSERT_EQ(shared.population.energies[i].tempered, alone.population.energies[i].tempered);
    }
    EXPECT_EQ(shared.impossible, alone.impossible) << lanes;
    for (std::size_t p = 0; p < alone.parts.size(); ++p) {
      EXPECT_EQ(shared.parts[p].steps, alone.parts[p].steps);
      EXPECT_EQ(shared.parts[p].moved, alone.parts[p].moved);
      EXPECT_EQ(shared.parts[p].evaluations, alone.parts[p].evaluations);
      // A diagnostic sum over at most 400 steps, added up in the order in which a block's lanes made them.
      EXPECT_NEAR(shared.parts[p].squared_jump, alone.parts[p].squared_jump, 1e-12 * alone.parts[p].squared_jump);
    }
  }
}

}  // namespace
}  // namespace ta2s2
