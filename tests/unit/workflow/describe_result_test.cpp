#include "ta2s2/workflow/describe_result.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "ta2s2/predictive/effective_sample_size.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// Four chains of two states in as many groups as asked for, in one coordinate of the box [-7, 7].
WeightedPopulation eight_states(std::vector<Index> group_begin) {
  return {{Matrix{{0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 6.9}},
           std::vector<Energy>(8),
           {0, 2, 4, 6, 8},
           std::move(group_begin)},
          Vector::Constant(8, 0.125),
          std::vector<Index>(4, 0)};
}

CoordinateDiagnostics diagnosed(const WeightedPopulation& states) {
  return diagnose_coordinates(states, {"log_phi_x"}, {Vector{{-7.0}}, Vector{{7.0}}}).at(0);
}

TEST(DiagnoseCoordinates, FromChainsGroupsAndBorders) {
  const WeightedPopulation states = eight_states({0, 2, 4});
  const CoordinateDiagnostics d = diagnosed(states);
  EXPECT_EQ(d.name, "log_phi_x");
  const Vector row = states.positions.row(0).transpose();
  EXPECT_EQ(d.effective_sample_size, ess_from_chains(row, states));
  EXPECT_EQ(d.r_hat, group_r_hat(row, states.weights, std::vector<Index>{0, 4, 8}));
  EXPECT_EQ(d.mass_near_low, 0.0);
  EXPECT_EQ(d.mass_near_high, 0.125);
}

TEST(DiagnoseCoordinates, OneGroupHasNoRHat) {
  EXPECT_FALSE(diagnosed(eight_states({0, 4})).r_hat.has_value());
}

// All the second group's weight on one state: there is nothing to compare.
TEST(DiagnoseCoordinates, AGroupOfOneStateHasNoRHat) {
  WeightedPopulation states = eight_states({0, 2, 4});
  states.weights << 0.2, 0.2, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0;
  EXPECT_FALSE(diagnosed(states).r_hat.has_value());
}

TEST(DiagnoseCoordinates, MassNearTheBorderIsWeighted) {
  WeightedPopulation states = eight_states({0, 2, 4});
  states.weights << 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3;
  EXPECT_DOUBLE_EQ(diagnosed(states).mass_near_high, 0.3);
}

// Two components, far apart: the first two chains of the second group are in the second mode.
TEST(WeighByGroup, CountsEachGroupsStates) {
  const Matrix unit = Matrix::Identity(1, 1);
  const ModePartition partition({Mode{}, Mode{}},
                                ProposalMixture({{0.5, Vector{{1.0}}, unit}, {0.5, Vector{{5.5}}, unit}}), {0, 1});
  const auto modes = weigh_by_group(partition, eight_states({0, 3, 4}));
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_THAT(modes[0].group_weights, testing::ElementsAre(testing::DoubleNear(4.0 / 6.0, 1e-15), 0.0));
  EXPECT_THAT(modes[1].group_weights, testing::ElementsAre(testing::DoubleNear(2.0 / 6.0, 1e-15), 1.0));
  const Vector is_here{{1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0}};
  const WeightedPopulation states = eight_states({0, 3, 4});
  EXPECT_EQ(modes[0].effective_sample_size, ess_from_chains(is_here, states));

  WeightedPopulation weighted = states;
  weighted.weights << 0.2, 0.2, 0.1, 0.1, 0.2, 0.0, 0.1, 0.1;
  EXPECT_THAT(weigh_by_group(partition, weighted)[0].group_weights,
              testing::ElementsAre(testing::DoubleNear(0.75, 1e-15), 0.0));
}

TEST(FitDiagnostics, HoldWhatGroupsSay) {
  const MemberRecord record =
      test::small_fit({{"sampler", "annealed"}, {"samples", "400"}, {"draws-from", "last-level"}});
  ASSERT_EQ(record.evidence->by_group.size(), 4u);
  // Each group has a quarter of the draws: its error is about twice that of all, with the scatter of four such; six.
  for (const double log_evidence : record.evidence->by_group) {
    EXPECT_NEAR(log_evidence, record.evidence->log_evidence, 6.0 * 2.0 * record.evidence->standard_error);
  }
  for (const CoordinateDiagnostics& d : record.diagnostics) EXPECT_GE(d.r_hat.value(), 1.0);
  for (const Mode& mode : record.modes) {
    ASSERT_EQ(mode.group_weights.size(), 4u);
    double sum = 0.0;
    for (const double weight : mode.group_weights) sum += weight;
    EXPECT_NEAR(sum / 4.0, mode.weight, 1e-9);  // groups are of one size, and the sample is theirs
  }
}

// Eight equal weights thinned to four: 1/4 - 1/8 is added to the variance in units of one draw's.
TEST(CountThinning, AddsWhatTheDrawsThatAreLeftLack) {
  std::vector<CoordinateDiagnostics> diagnostics = {{"a", 8.0, 0.0, 0.0}, {"unknown", 0.0, 0.0, 0.0}};
  count_thinning(diagnostics, Vector::Constant(8, 0.125), Vector::Constant(4, 0.25));
  EXPECT_DOUBLE_EQ(diagnostics[0].effective_sample_size, 4.0);
  EXPECT_EQ(diagnostics[1].effective_sample_size, 0.0);
  count_thinning(diagnostics, Vector::Constant(4, 0.25), Vector::Constant(4, 0.25));
  EXPECT_DOUBLE_EQ(diagnostics[0].effective_sample_size, 4.0);
}

TEST(FitDiagnostics, OfAllLevelsHaveGroupsThatShareTheModes) {
  const MemberRecord record = test::small_fit({{"sampler", "annealed"}, {"samples", "400"}});
  for (const CoordinateDiagnostics& d : record.diagnostics) EXPECT_GE(d.r_hat.value(), 1.0);
  double sum = 0.0;
  for (const Mode& mode : record.modes) {
    ASSERT_EQ(mode.group_weights.size(), 4u);
    EXPECT_THAT(mode.group_weights, testing::Each(testing::AllOf(testing::Ge(0.0), testing::Le(1.0))));
    const auto [least, most] = std::minmax_element(mode.group_weights.begin(), mode.group_weights.end());
    EXPECT_GE(mode.weight, *least - 1e-12);
    EXPECT_LE(mode.weight, *most + 1e-12);
    sum += mode.weight;
  }
  EXPECT_GT(sum, 0.95);
  EXPECT_LE(sum, 1.0 + 1e-12);
}

TEST(FitDiagnostics, OneGroupIsNeverCalledConverged) {
  const MemberRecord record = test::small_fit({{"sampler", "annealed"}, {"groups", "1"}, {"samples", "2000"}});
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::unchecked) << judge_sampler(record).front().sentence;
}

TEST(FitCheck, ComparesWithTheNextSeedAndKeepsTheFirstRun) {
  const MemberRecord plain = test::small_fit({{"seed", "7"}});
  const MemberRecord checked = test::small_fit({{"seed", "7"}, {"check", "true"}});
  const MemberRecord other = test::small_fit({{"seed", "8"}});
  EXPECT_FALSE(plain.check.has_value());
  EXPECT_EQ(checked.sample.positions, plain.sample.positions);
  EXPECT_EQ(checked.options.annealing.seed, 7u);
  ASSERT_TRUE(checked.check.has_value());
  EXPECT_EQ(checked.check->seed, 8u);
  // Sums of 200 terms near 1, in another order.
  EXPECT_NEAR(checked.check->quantities[0].first, plain.sample.positions.row(0) * plain.sample.weights, 1e-12);
  EXPECT_NEAR(checked.check->quantities[0].second, other.sample.positions.row(0) * other.sample.weights, 1e-12);
}

// The published kernel is the standing mutant: whatever its groups say to each other, it is never called converged.
TEST(FitDiagnostics, ThePublishedKernelIsNeverCalledConverged) {
  for (const char* seed : {"1", "2", "3", "4", "5"}) {
    const MemberRecord record =
        test::small_fit({{"sampler", "annealed"}, {"kernel", "published"}, {"seed", seed}, {"samples", "1000"}});
    EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  }
}

}  // namespace
}  // namespace ta2s2
