#include "ta2s2/workflow/compare_runs.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "unit/workflow/good_record.hpp"

namespace ta2s2 {
namespace {

using test::good_record;

const ComparedQuantity& find(const RunComparison& comparison, const std::string& name) {
  for (const ComparedQuantity& q : comparison.quantities) {
    if (q.name == name) return q;
  }
  throw std::out_of_range(name);
}

TEST(CompareRuns, NamesAndNumbersWhatItCompared) {
  MemberRecord second = good_record();
  second.options.annealing.seed = 2;
  second.modes.pop_back();
  const RunComparison comparison = compare_runs(good_record(), second);
  EXPECT_EQ(comparison.seed, 2u);
  EXPECT_EQ(comparison.num_modes, 1);
  std::vector<std::string> names;
  for (const ComparedQuantity& q : comparison.quantities) names.push_back(q.name);
  EXPECT_THAT(names,
              testing::ElementsAre("mean of log_phi_length", "sd of log_phi_length", "mean of log_phi_load",
                                   "sd of log_phi_load", "log evidence", "weight of mode 1", "weight of mode 2"));
}

// sd 1 and 400 draws' worth in both runs: sqrt(2 / 400). Groups say more than 400 / 4 to each, and do not count.
TEST(CompareRuns, MeansHaveTheErrorOfTheirChains) {
  MemberRecord second = good_record();
  second.sample.positions.array() += 0.25;
  const ComparedQuantity mean = find(compare_runs(good_record(), second), "mean of log_phi_length");
  EXPECT_NEAR(mean.first, 0.0, 1e-12);
  EXPECT_NEAR(mean.second, 0.25, 1e-12);
  EXPECT_NEAR(mean.error, std::sqrt(2.0 / 400.0), 1e-12);
}

// R-hat^2 - 1 = 0.21 between four groups: the mean's variance is 0.21 / 4.
TEST(CompareRuns, MeansHaveTheErrorOfTheirGroupsIfThatIsLarger) {
  MemberRecord first = good_record();
  first.diagnostics[0].r_hat = 1.1;
  const ComparedQuantity mean = find(compare_runs(first, good_record()), "mean of log_phi_length");
  EXPECT_NEAR(mean.error, std::sqrt(0.21 / 4.0 + 1.0 / 400.0), 1e-12);
}

TEST(CompareRuns, WithoutAnEffectiveSizeAChainIsOneDraw) {
  MemberRecord first = good_record();
  first.diagnostics[0] = {"log_phi_length", 0.0, 0.0, 0.0};
  const ComparedQuantity mean = find(compare_runs(first, first), "mean of log_phi_length");
  EXPECT_NEAR(mean.error, std::sqrt(2.0 / 100.0), 1e-12);
}

// Three quarters at 0, the others at +-2: variance 1, kurtosis 4, so an sd's error is sqrt(3 / 4 / draws).
TEST(CompareRuns, SpreadsHaveTheErrorOfTheirKurtosis) {
  MemberRecord first = good_record();
  for (Index i = 0; i < first.sample.size(); ++i) {
    first.sample.positions(0, i) = i % 8 == 0 ? 2.0 : i % 8 == 1 ? -2.0 : 0.0;
  }
  const ComparedQuantity sd = find(compare_runs(first, first), "sd of log_phi_length");
  EXPECT_NEAR(sd.first, 1.0, 1e-12);
  EXPECT_NEAR(sd.error, std::sqrt(2.0 * 0.75 / 400.0), 1e-12);
}

TEST(CompareRuns, EvidenceHasTheLargerOfItsTwoErrors) {
  MemberRecord first = good_record(), second = good_record();
  second.evidence->log_evidence = 7.3;
  EXPECT_NEAR(find(compare_runs(first, second), "log evidence").error, 0.1 * std::sqrt(2.0), 1e-12);
  first.evidence->by_group = {6.0, 7.0, 8.0, 7.0};  // sd sqrt(2/3), of the mean sqrt(1/6)
  EXPECT_NEAR(find(compare_runs(first, second), "log evidence").error, std::sqrt(1.0 / 6.0 + 0.01), 1e-12);
}

TEST(CompareRuns, WithoutEvidenceTheRestIsCompared) {
  MemberRecord second = good_record();
  second.evidence.reset();
  const RunComparison with = compare_runs(good_record(), good_record()), without = compare_runs(good_record(), second);
  EXPECT_EQ(without.quantities.size() + 1, with.quantities.size());
  for (const ComparedQuantity& quantity : without.quantities) EXPECT_NE(quantity.name, "log evidence");
}

// A mode is known by its place, not by its number.
TEST(CompareRuns, ModesAreMatchedByPlace) {
  MemberRecord second = good_record();
  std::swap(second.modes[0], second.modes[1]);
  second.modes[0].position[0] += 0.05;
  const RunComparison same = compare_runs(good_record(), second);
  EXPECT_EQ(find(same, "weight of mode 1").second, 0.7);
  EXPECT_EQ(find(same, "weight of mode 2").second, 0.3);
  second.modes[1].position[1] += 3.0;  // elsewhere now: mode 1 is missing there, and one of theirs here
  const RunComparison other = compare_runs(good_record(), second);
  EXPECT_EQ(find(other, "weight of mode 1").second, 0.0);
  const ComparedQuantity theirs = find(other, "weight of mode 2 of the second run");
  EXPECT_EQ(theirs.first, 0.0);
  EXPECT_EQ(theirs.second, 0.7);
  // 0.35 pooled; 400 draws in each run's worst coordinate.
  EXPECT_NEAR(theirs.error, std::sqrt(2.0 * 0.35 * 0.65 / 400.0), 1e-12);
}

TEST(StandardisedDifference, IsInUnitsOfTheError) {
  EXPECT_DOUBLE_EQ(standardised_difference({"", 1.0, 3.0, 0.5}), 4.0);
  EXPECT_EQ(standardised_difference({"", 1.0, 1.0, 0.0}), 0.0);
  EXPECT_EQ(standardised_difference({"", 1.0, 2.0, 0.0}), kFarthest);
}

}  // namespace
}  // namespace ta2s2
