#include "ta2s2/smc/draw_lineage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "unit/smc/over_seeds.hpp"

namespace ta2s2 {
namespace {

// Two groups of two levels; chains of the second level start in the first's, in the order of levels.
WeightedPopulation two_levels() {
  WeightedPopulation states;
  states.positions = Matrix::Zero(1, 12);
  states.chain_begin = {0, 2, 4, 5, 6, 8, 10, 12};
  states.group_begin = {0, 4, 7};
  states.chain_levels = {0, 0, 1, 1, 0, 1, 1};  // pooled chains 0, 1, 4 are chains 0, 1, 2 of level 0
  states.parents = {0, 0, 1, 1, 0, 2, 2};
  return states;
}

TEST(DrawLineage, ChainsOfTheLastLevelBelongToTheirParents) {
  std::vector<Index> all(12);
  std::iota(all.begin(), all.end(), Index{0});
  const DrawLineage lineage = lineage_of(two_levels(), all);
  EXPECT_EQ(lineage.families, (std::vector<Index>{0, 0, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(lineage.group_begin, (std::vector<Index>{0, 6, 12}));
}

TEST(DrawLineage, IsThatOfTheDrawsThatWereKept) {
  const DrawLineage lineage = lineage_of(two_levels(), {1, 4, 5, 9});
  EXPECT_EQ(lineage.families, (std::vector<Index>{0, 1, 1, 4}));
  EXPECT_EQ(lineage.group_begin, (std::vector<Index>{0, 3, 4}));
}

TEST(DrawLineage, ChainsOfOneLevelAreFamiliesOfTheirOwn) {
  WeightedPopulation states = two_levels();
  states.chain_levels.assign(7, 0);
  EXPECT_EQ(lineage_of(states, {0, 4, 11}).families, (std::vector<Index>{0, 2, 6}));
}

TEST(DrawLineage, WithoutARecordStretchesStandForFamilies) {
  const DrawLineage lineage = assumed_lineage(6, 3.2);
  EXPECT_EQ(lineage.families, (std::vector<Index>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(lineage.group_begin, (std::vector<Index>{0, 6}));
  EXPECT_EQ(assumed_lineage(2, 0.0).families, (std::vector<Index>{0, 0}));
}

TEST(StartStates, EachDrawStandsThereOnceAndFamiliesTogether) {
  const Matrix draws{{0.0, 1.0, 2.0, 3.0, 4.0, 5.0}};
  Stream stream({1, Purpose::start_states, 0, 0, 0});
  const StartStates start =
      start_states(draws, Vector::Constant(6, 1.0 / 6.0), {{7, 3, 7, 9, 8, 9}, {0, 3, 6}}, 6, stream);
  EXPECT_EQ(start.positions, (Matrix{{1.0, 0.0, 2.0, 4.0, 3.0, 5.0}}));
  EXPECT_EQ(start.chain_begin, (std::vector<Index>{0, 1, 3, 4, 6}));
  EXPECT_EQ(start.group_begin, (std::vector<Index>{0, 2, 4}));
}

TEST(StartStates, WeightsBecomeNumbers) {
  const Matrix draws{{0.0, 1.0, 2.0}};
  Stream stream({1, Purpose::start_states, 0, 0, 0});
  const StartStates start = start_states(draws, Vector{{0.5, 0.0, 0.5}}, {{0, 1, 2}, {0, 2, 3}}, 8, stream);
  EXPECT_EQ((start.positions.array() == 0.0).count(), 4);
  EXPECT_EQ((start.positions.array() == 1.0).count(), 0);
  EXPECT_EQ(start.chain_begin, (std::vector<Index>{0, 4, 8}));
}

// x ~ N(0, 1) known by draws; then y = 1.5 with noise of sd 0.5. So x | y ~ N(1.2, 0.2), and y ~ N(0, 1.25).
class OneMoreDatum final : public TargetDensity {
 public:
  Index dim() const override { return 1; }
  std::vector<std::string> names() const override { return {"x"}; }
  void energies(MatrixView points, Workspace&, std::span<Energy> out) const override {
    for (Index i = 0; i < points.cols(); ++i) {
      const double x = points(0, i), residual = (1.5 - x) / 0.5;
      out[static_cast<std::size_t>(i)] = {
          0.5 * x * x, 0.5 * residual * residual + std::log(0.5 * std::sqrt(2.0 * std::numbers::pi)), Impossible::no};
    }
  }
  Vector draw_start(Stream& stream) const override { return Vector::Constant(1, draw_normal(stream)); }
};

const double kLogEvidence = -0.5 * std::log(2.0 * std::numbers::pi * 1.25) - 0.5 * 1.5 * 1.5 / 1.25;

struct Estimates {
  double mean = 0.0, sd = 0.0, log_evidence = 0.0, error = 0.0;
};

// A sample as fits leave them: families of five draws that are much alike.
Estimates estimate(std::uint64_t seed, bool knows_families) {
  constexpr Index kNumFamilies = 100, kSize = 5;
  Matrix draws(1, kNumFamilies * kSize);
  DrawLineage lineage{{}, {0, kNumFamilies * kSize / 2, kNumFamilies * kSize}};
  Stream stream({seed, Purpose::start_point, 0, 0, 0});
  for (Index f = 0; f < kNumFamilies; ++f) {
    const double centre = std::sqrt(0.95) * draw_normal(stream);
    for (Index i = 0; i < kSize; ++i) {
      draws(0, f * kSize + i) = centre + std::sqrt(0.05) * draw_normal(stream);
      lineage.families.push_back(knows_families ? f : f * kSize + i);
    }
  }
  const Vector weights = Vector::Constant(draws.cols(), 1.0 / static_cast<double>(draws.cols()));
  AnnealOptions options;
  options.num_samples = draws.cols();
  options.seed = seed;
  ThreadExecutor executor(1);
  Observer silent;
  Stream resampling({seed, Purpose::start_states, 0, 0, 0});
  const AnnealResult result = anneal_from(start_states(draws, weights, lineage, draws.cols(), resampling),
                                          OneMoreDatum(), options, {executor, silent});
  const auto values = result.final().positions.row(0);
  const double mean = values.mean();
  return {mean, std::sqrt((values.array() - mean).square().mean()), result.log_evidence, result.log_evidence_error};
}

struct OverSeeds {
  std::vector<Estimates> found;

  explicit OverSeeds(bool knows_families) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) found.push_back(estimate(seed, knows_families));
  }
  double error(double Estimates::*which, double truth) const {
    std::vector<double> values;
    for (const Estimates& e : found) values.push_back(e.*which);
    return test::error_in_standard_errors(values, truth);
  }
  // Of the log evidence's errors in units of those that the run reports.
  double mean_squared_score() const {
    double sum = 0.0;
    for (const Estimates& e : found) sum += std::pow((e.log_evidence - kLogEvidence) / e.error, 2);
    return sum / static_cast<double>(found.size());
  }
};

// Seeds are fixed; five standard errors would fail a right sampler once in 1.7 million checks. The log of an unbiased
// evidence is low by half its variance, here about 0.002, a fifth of the standard error over seeds. The mean of 200
// squared scores has standard error 0.1, and a little more as the errors are estimated from 100 families.
TEST(AnnealFrom, GivesTheLawOfOneMoreDatumAndAnHonestError) {
  const OverSeeds over_seeds(true);
  EXPECT_LT(over_seeds.error(&Estimates::mean, 1.2), 5.0);
  EXPECT_LT(over_seeds.error(&Estimates::log_evidence, kLogEvidence), 5.0);
  // Of 500 states: the variance is short by its own share, 1/ESS, some 0.5% of the sd.
  EXPECT_LT(over_seeds.error(&Estimates::sd, std::sqrt(0.2) * (1.0 - 0.005)), 5.0);
  EXPECT_NEAR(over_seeds.mean_squared_score(), 1.0, 0.5);
}

// The mutant: draws that are taken for independent claim a variance about a fifth of what it is.
TEST(AnnealFrom, WithoutFamiliesTheErrorWouldBeTooSmall) {
  EXPECT_GT(OverSeeds(false).mean_squared_score(), 2.0);
}

}  // namespace
}  // namespace ta2s2
