#include "ta2s2/smc/hamiltonian_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "flipping_drift.hpp"
#include "known_normal.hpp"
#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/chain_growth.hpp"

namespace ta2s2 {
namespace {

struct Phase {
  Vector z, p;
};

// Four narrow walls, one of them open, and a metric in which everything depends on everything.
Box narrow_walls() {
  return {Vector{{0.0, -1.0, 0.0, -kInfinity}}, Vector{{1.0, 1.0, 0.5, kInfinity}}};
}

Matrix dense_factor() {
  return test::correlated(Vector{{1.0, 2.0, 0.5, 1.5}}, 0.7).llt().matrixL();
}

std::vector<Phase> starts(int count) {
  Stream stream({17, Purpose::hamiltonian, 0, 0, 0});
  std::vector<Phase> all;
  for (int i = 0; i < count; ++i) {
    Vector z(4);
    for (Index k = 0; k < 3; ++k) {
      z[k] = narrow_walls().low[k] + (narrow_walls().high[k] - narrow_walls().low[k]) * draw_uniform(stream);
    }
    z[3] = draw_normal(stream);
    all.push_back({z, draw_normals(stream, 4)});
  }
  return all;
}

// In steps so small that hits can be counted by what p does.
int count_hits(Phase phase, double time) {
  int hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vector before = phase.p;
    drift_between_walls(phase.z, phase.p, dense_factor(), time / 1000.0, narrow_walls());
    hits += phase.p == before ? 0 : 1;
  }
  return hits;
}

constexpr double kTime = 1.5;

TEST(DriftBetweenWalls, IsAStraightLineWhereThereAreNone) {
  const Box open{Vector::Constant(4, -kInfinity), Vector::Constant(4, kInfinity)};
  for (Phase phase : starts(5)) {
    const Phase start = phase;
    ASSERT_TRUE(drift_between_walls(phase.z, phase.p, dense_factor(), kTime, open));
    EXPECT_EQ(phase.p, start.p);
    EXPECT_LT((phase.z - start.z - kTime * dense_factor() * start.p).norm(), 1e-14);
  }
}

TEST(DriftBetweenWalls, AlongOneAxisIsABallBetweenTwoWalls) {
  const Box walls{Vector{{0.0}}, Vector{{1.0}}};
  Vector z{{0.25}}, p{{1.0}};
  ASSERT_TRUE(drift_between_walls(z, p, Matrix{{2.0}}, 1.5, walls));  // 0.75 to the wall, 1 back, 1 forth, 0.25 back
  EXPECT_NEAR(z[0], 0.75, 1e-15);
  EXPECT_EQ(p[0], -1.0);
}

TEST(DriftBetweenWalls, StaysBetweenTheWallsAndKeepsTheLengthOfTheMomentum) {
  int most_hits = 0;
  for (Phase phase : starts(100)) {
    most_hits = std::max(most_hits, count_hits(phase, kTime));
    const double before = phase.p.norm();
    ASSERT_TRUE(drift_between_walls(phase.z, phase.p, dense_factor(), kTime, narrow_walls()));
    EXPECT_NEAR(phase.p.norm(), before, 1e-13 * before);  // some ten reflections, each to a few roundings
    EXPECT_TRUE((phase.z.array() >= narrow_walls().low.array()).all());
    EXPECT_TRUE((phase.z.array() <= narrow_walls().high.array()).all());
  }
  EXPECT_GE(most_hits, 6);  // or the test asks too little
}

// Roundings grow by a few times at every hit, of which there are some ten.
TEST(DriftBetweenWalls, IsReversible) {
  for (Phase phase : starts(100)) {
    const Phase start = phase;
    ASSERT_TRUE(drift_between_walls(phase.z, phase.p, dense_factor(), kTime, narrow_walls()));
    phase.p = -phase.p;
    ASSERT_TRUE(drift_between_walls(phase.z, phase.p, dense_factor(), kTime, narrow_walls()));
    EXPECT_LT((phase.z - start.z).norm(), 1e-10);
    EXPECT_LT((phase.p + start.p).norm(), 1e-10);
  }
}

// The Jacobian matrix of (z, p) after the drift, by central differences: without a hit in between it is exact.
template <class Drift>
Matrix jacobian(const Drift& drift, const Phase& start, double step) {
  Matrix columns(8, 8);
  for (Index c = 0; c < 8; ++c) {
    Matrix ends(8, 2);
    for (const Index side : {0, 1}) {
      Phase phase = start;
      double& coordinate = c < 4 ? phase.z[c] : phase.p[c - 4];
      coordinate += side == 0 ? step : -step;
      drift(phase.z, phase.p, dense_factor(), kTime, narrow_walls());
      ends.col(side) << phase.z, phase.p;
    }
    columns.col(c) = (ends.col(0) - ends.col(1)) / (2.0 * step);
  }
  return columns;
}

// How far determinants are from 1, where the order of hits is the same all around: where it is not, differences of two
// steps tell different things.
template <class Drift>
std::vector<double> errors_of_volumes(const Drift& drift) {
  std::vector<double> errors;
  for (const Phase& start : starts(60)) {
    const Matrix wide = jacobian(drift, start, 1e-6), narrow = jacobian(drift, start, 5e-7);
    if ((wide - narrow).norm() < 1e-6 * wide.norm()) errors.push_back(std::abs(std::abs(wide.determinant()) - 1.0));
  }
  return errors;
}

// Differences are known to 1e-15 / 1e-6, and a determinant to some thousand times that, as columns are not orthogonal.
// The mutant keeps |p| and finds its way back, but not volumes.
TEST(DriftBetweenWalls, KeepsVolumes) {
  const std::vector<double> errors = errors_of_volumes(drift_between_walls);
  EXPECT_GE(errors.size(), 50u);
  EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 1e-5);
  const std::vector<double> of_mutant = errors_of_volumes(test::flipping_drift);
  EXPECT_GT(*std::max_element(of_mutant.begin(), of_mutant.end()), 0.1);
}

TEST(DriftBetweenWalls, GivesUpWhatCannotBeFollowed) {
  const Box walls{Vector{{0.0}}, Vector{{1e-9}}};
  Vector z{{0.0}}, p{{1.0}};
  EXPECT_FALSE(drift_between_walls(z, p, Matrix{{1.0}}, 1.0, walls));  // 1e9 hits
  const Box open{Vector{{-kInfinity}}, Vector{{kInfinity}}};
  p[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(drift_between_walls(z, p, Matrix{{1.0}}, 1.0, open));
  p[0] = kInfinity;
  EXPECT_FALSE(drift_between_walls(z, p, Matrix{{1.0}}, 1.0, open));
}

TEST(HamiltonianMove, DrawsAShareOfTheStepFromTheFirstNumberOfItsStream) {
  HamiltonianPlan plan;
  plan.least_share = 0.6;
  plan.most_share = 1.1;
  double least = 2.0, most = 0.0, sum_of_logs = 0.0;
  constexpr int kDraws = 10'000;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    Stream stream({1, Purpose::move, 0, i, 0}), same({1, Purpose::move, 0, i, 0});
    const double share = HamiltonianMove::draw_step_share(plan, stream);
    draw_uniform(same);
    EXPECT_EQ(stream.bits(), same.bits());
    least = std::min(least, share);
    most = std::max(most, share);
    sum_of_logs += std::log(share);
  }
  EXPECT_GE(least, 0.6);
  EXPECT_LE(most, 1.1);
  // Log-uniform: sd log(1.1 / 0.6) / sqrt(12), five standard errors of the mean.
  const double width = std::log(1.1 / 0.6);
  EXPECT_NEAR(sum_of_logs / kDraws, std::log(0.6) + 0.5 * width, 5.0 * width / std::sqrt(12.0 * kDraws));
}

// ---- what a move pays, and what it says ----

LevelPlan plan_for(const SamplingSpace& space, const Matrix& positions, std::vector<StepChoice> choices) {
  auto markers = std::make_shared<Population>();
  markers->positions = positions;
  markers->energies.resize(static_cast<std::size_t>(positions.cols()));
  const auto workspace = space.make_workspace();
  space.energies(positions, *workspace, markers->energies);
  markers->chain_begin.resize(static_cast<std::size_t>(positions.cols()) + 1);
  std::iota(markers->chain_begin.begin(), markers->chain_begin.end(), Index{0});
  LevelPlan plan;
  plan.covariance_factor = Matrix::Identity(space.dim(), space.dim());
  plan.hamiltonian.step = 0.1;
  plan.hamiltonian.centre = Vector::Zero(space.dim());
  plan.hamiltonian.choices = std::move(choices);
  for (Index i = 0; i < positions.cols(); ++i) plan.chains.starts.push_back(i);
  plan.chains.lengths.assign(plan.chains.starts.size(), static_cast<Index>(plan.hamiltonian.choices.size()));
  plan.chains.group_begin = {0, positions.cols()};
  plan.markers = std::move(markers);
  return plan;
}

class OneChainOfANormal : public testing::Test {
 protected:
  LevelMoves grow(const std::vector<StepChoice>& choices, const Reference* reference = nullptr) {
    ThreadExecutor executor(1);
    return grow_chains(space, HamiltonianMove(space, reference), plan_for(space, Vector{{0.3, -0.2}}, choices), 4,
                       executor);
  }

  const test::NormalOnBox target{Vector::Zero(2), Matrix::Identity(2, 2), test::uniform_law(2, -9.0, 9.0)};
  const SamplingSpace space{target, {true, true}};
};

// A trajectory of l leapfrogs wants l gradients, and one more where it starts, the first time alone.
TEST_F(OneChainOfANormal, PaysAGradientForEveryLeapfrog) {
  const LevelMoves moves = grow({{3, false, false}, {5, false, false}});
  EXPECT_EQ(moves.gradients, 1 + 3 + 5);
  EXPECT_EQ(moves.evaluations, moves.gradients);
  EXPECT_GT(moves.acceptance.front(), 0.99);  // steps of 0.1 sds
  EXPECT_LE(moves.acceptance.front(), 1.0);
}

// A radial move asks for a density alone; its gradient is found again if it was taken.
TEST_F(OneChainOfANormal, PaysADensityForARadialMove) {
  const LevelMoves moves = grow({{1, true, false}});
  EXPECT_EQ(moves.gradients, 2);
  EXPECT_EQ(moves.evaluations, 3);
}

TEST_F(OneChainOfANormal, PaysADensityForAMapBetweenComponents) {
  const ProposalMixture two(
      {{0.5, Vector{{0.0, 0.0}}, Matrix::Identity(2, 2)}, {0.5, Vector{{1.0, 0.0}}, Matrix::Identity(2, 2)}});
  const Reference reference(two, 0.05, space);
  const LevelMoves moves = grow({{1, false, true}}, &reference);
  EXPECT_EQ(moves.gradients, 2);
  EXPECT_EQ(moves.evaluations, 3);
}

// Kept energies are those of kept positions, after moves of every kind.
TEST_F(OneChainOfANormal, KeepsTheEnergyOfWhereItIs) {
  const std::vector<StepChoice> choices(40, {2, true, false});
  const Population states = grow(choices).population;
  for (Index i = 0; i < states.size(); ++i) {
    EXPECT_EQ(states.energies[static_cast<std::size_t>(i)].total(),
              test::energy_of(space, states.positions.col(i)).total());
  }
}

}  // namespace
}  // namespace ta2s2
