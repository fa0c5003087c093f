#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "ta2s2/exec/thread_executor.hpp"
#include "ta2s2/rng/draws.hpp"
#include "ta2s2/smc/draw_lineage.hpp"
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

// A few dozen operations on numbers below one, each rounded to 1.1e-16.
constexpr double kRounding = 1e-14;

// What summing the terms' errors in quadrature would give: the mutant.
double variance_without_lineage(const std::vector<LevelExcess>& terms) {
  double variance = 0.0;
  for (const LevelExcess& term : terms) variance += level_variance(term);
  return variance;
}

TEST(LineageVariance, OfOneTermIsTheScatterOfItsChains) {
  const std::vector<LevelExcess> terms = {{{0.2, -0.1, -0.1}, {}}};
  EXPECT_NEAR(level_variance(terms[0]), (0.04 + 0.01 + 0.01) * 3.0 / 2.0, kRounding);
  EXPECT_EQ(lineage_variance(terms), level_variance(terms[0]));
}

TEST(LineageVariance, OneChainTellsNothingOfItsVariance) {
  EXPECT_EQ(level_variance({{0.0}, {}}), 0.0);
  EXPECT_EQ(lineage_variance({}), 0.0);
}

// Chains that never move repeat their parent's error at each level: three terms are off by three times as much as one.
TEST(LineageVariance, OfChainsThatForgetNothingGrowsWithTheSquareOfTheTerms) {
  const std::vector<double> excess = {0.1, -0.3, 0.2};
  const std::vector<LevelExcess> terms = {{excess, {}}, {excess, {0, 1, 2}}, {excess, {0, 1, 2}}};
  EXPECT_NEAR(lineage_variance(terms), 9.0 * level_variance(terms[0]), kRounding);
  EXPECT_NEAR(variance_without_lineage(terms), 3.0 * level_variance(terms[0]), kRounding);
}

// Two pairs of siblings that agree are two witnesses, not four, though their parents had no error to hand down.
TEST(LineageVariance, SiblingsAreNotIndependent) {
  const std::vector<LevelExcess> terms = {{{0.0, 0.0}, {}}, {{0.1, 0.1, -0.1, -0.1}, {0, 0, 1, 1}}};
  EXPECT_NEAR(lineage_variance(terms), (0.2 * 0.2 + 0.2 * 0.2) * 4.0 / 3.0, kRounding);
  EXPECT_NEAR(variance_without_lineage(terms), 4.0 * 0.01 * 4.0 / 3.0, kRounding);
}

// The first chain has three children of the four, together 0.2; the second one, -0.2; the third none.
TEST(LineageVariance, AddsUpAllChildrenOfAChain) {
  const std::vector<LevelExcess> terms = {{{0.3, -0.1, -0.2}, {}}, {{0.1, 0.2, -0.1, -0.2}, {0, 0, 0, 1}}};
  const double first = (0.09 + 0.01 + 0.04) * 3.0 / 2.0;
  const double second = (0.04 + 0.04 + 2.0 * (0.3 * 0.2 + 0.1 * 0.2)) * 4.0 / 3.0;
  EXPECT_NEAR(lineage_variance(terms), first + second, kRounding);
}

// The middle chains swapped places, so the last term's first chain descends from the first term's second. Along each
// line errors have one sign and sum to 0.4 in size.
TEST(LineageVariance, FollowsDescentThroughTwoLevels) {
  const std::vector<LevelExcess> terms = {{{0.1, -0.1}, {}}, {{-0.1, 0.1}, {1, 0}}, {{-0.2, 0.2}, {0, 1}}};
  EXPECT_NEAR(lineage_variance(terms), 2.0 * (0.16 + 0.16), kRounding);
}

TEST(LineageVariance, ForgetsAncestorsBeyondTheWindow) {
  static_assert(kLineage == 2);
  const std::vector<double> excess = {0.1, -0.1}, none = {0.0, 0.0};
  const std::vector<Index> same = {0, 1};
  const std::vector<LevelExcess> near = {{excess, {}}, {none, same}, {excess, same}};
  const std::vector<LevelExcess> far = {{excess, {}}, {none, same}, {none, same}, {excess, same}};
  EXPECT_NEAR(lineage_variance(near), 4.0 * level_variance(near[0]), kRounding);
  EXPECT_NEAR(lineage_variance(far), 2.0 * level_variance(far[0]), kRounding);
}

TEST(LineageVariance, IsNeverLessThanThatOfIndependentTerms) {
  const std::vector<LevelExcess> terms = {{{0.1, -0.1}, {}}, {{-0.1, 0.1}, {0, 1}}};
  EXPECT_EQ(lineage_variance(terms), variance_without_lineage(terms));
}

}  // namespace
}  // namespace ta2s2
