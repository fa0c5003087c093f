#include "ta2s2/workflow/verdict.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "unit/workflow/good_record.hpp"

namespace ta2s2 {
namespace {

using test::good_record;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// One reason, and more samples as the remedy.
void expect_reason(const MemberRecord& record, const testing::Matcher<std::string>& reason) {
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.status, VerdictStatus::not_converged) << sentence(verdict);
  EXPECT_THAT(verdict.reasons, ElementsAre(reason));
  EXPECT_THAT(verdict.advice, ElementsAre(HasSubstr("raise --samples to ")));
}

TEST(Judge, AGoodFitIsConverged) {
  const Verdict verdict = judge(good_record());
  EXPECT_EQ(verdict.status, VerdictStatus::converged);
  EXPECT_EQ(sentence(verdict), "converged");
  EXPECT_THAT(verdict.caveats, IsEmpty());
}

TEST(Judge, AMaximumIsNoSample) {
  MemberRecord record = good_record();
  record.options.map_only = true;
  EXPECT_EQ(sentence(judge(record)), "no sample: only the posterior's maximum was sought");
}

MemberRecord record_of(const std::string& correlation, double draws) {
  MemberRecord record = good_record();
  record.options.correlation = correlation;
  record.diagnostics[0].effective_sample_size = draws;
  return record;
}

TEST(Judge, AnAverageIsAsGoodAsTheModelsThatCount) {
  const MemberRecord good = record_of("matern52", 900.0), bad = record_of("matern32", 60.0),
                     worse = record_of("a", 30.0);
  EXPECT_EQ(judge(OutputRecord{{good, good}, {0.3, 0.7}, "evidence"}).status, VerdictStatus::converged);
  EXPECT_EQ(judge(OutputRecord{{good, bad}, {0.995, 0.005}, "evidence"}).status, VerdictStatus::converged);
  const Verdict verdict = judge(OutputRecord{{good, bad, worse}, {0.6, 0.3, 0.1}, "evidence"});
  EXPECT_EQ(verdict.status, VerdictStatus::not_converged);
  EXPECT_THAT(verdict.reasons, ElementsAre(HasSubstr("matern32: the sample is worth only 60 ")));
  EXPECT_EQ(sentence(judge(OutputRecord{{bad}, {1.0}, ""})), sentence(judge(bad)));
}

TEST(Judge, GroupsThatDifferInACoordinate) {
  MemberRecord record = good_record();
  record.diagnostics[1].r_hat = 1.21;
  expect_reason(record, AllOf(HasSubstr("R-hat of log_phi_load is 1.21"), HasSubstr("at most 1.14")));
  // (1.21^2 - 1) / 4 is worth 8.6 draws in all; 100 need 11.6 times as many, rounded up to one digit.
  EXPECT_EQ(judge(record).advice.front(), "raise --samples to 30000");
  EXPECT_EQ(sentence(judge(record)),
            "not converged: R-hat of log_phi_load is 1.21 between groups, expected at most 1.14; "
            "raise --samples to 30000");
}

TEST(Judge, FewIndependentDraws) {
  MemberRecord record = good_record();
  record.diagnostics[0].effective_sample_size = 60.0;
  expect_reason(record, HasSubstr("worth only 60 independent draws"));
  EXPECT_EQ(judge(record).advice.front(), "raise --samples to 5000");  // 2000 * 1.5 * 100 / 60
}

// Two coordinates: chains of five states will do, and shorter ones need --samples of thirty times that.
TEST(Judge, ChainsThatAreTooShort) {
  MemberRecord record = good_record();
  record.levels.back().num_states = 2000;
  record.levels.back().num_chains = 400;
  EXPECT_EQ(judge(record).status, VerdictStatus::converged) << sentence(judge(record));
  record.levels.back().num_chains = 500;
  expect_reason(record, HasSubstr("chains of 4 states are too short in 2 dimensions, expected at least 5"));
  record.options.annealing.chain_length = 4;  // more samples would not make them longer
  EXPECT_THAT(judge(record).advice, ElementsAre("leave out --chain-length"));
  EXPECT_EQ(judge(record).status, VerdictStatus::not_converged);
  record.options.annealing.growth = Growth::tmcmc;  // whose lengths are what they are
  EXPECT_EQ(judge(record).status, VerdictStatus::not_exact);
  EXPECT_THAT(judge(record).reasons, testing::SizeIs(1));
}

TEST(Judge, AModeThatAGroupLost) {
  MemberRecord record = good_record();
  record.modes[1].group_weights = {0.2, 0.2, 0.0, 0.2};
  record.modes[0].group_weights = {0.8, 0.8, 1.0, 0.8};
  // 200 draws to a group would miss a weight of 0.15 with probability 0.85^200 < 1e-14 ...
  expect_reason(record, HasSubstr("1 of 4 groups lost mode 2, of weight 0.150"));
  // ... but 40 with 0.0015, and that is no proof.
  record.modes[1].effective_sample_size = 160.0;
  EXPECT_EQ(judge(record).status, VerdictStatus::converged) << sentence(judge(record));
}

// What earlier levels left of it in a group's weights does not hide that.
TEST(Judge, AModeThatAGroupLostInItsLastLevels) {
  MemberRecord record = good_record();
  record.modes[1].group_weights = {0.2, 0.2, 0.01, 0.2};
  record.modes[0].group_weights = {0.8, 0.8, 0.99, 0.8};
  expect_reason(record, HasSubstr("1 of 4 groups lost mode 2, of weight 0.15"));
  // A third of its weight is not lost, and 200 draws of the group do not come to that by chance: by Chernoff exp(-200
  // 0.049) < 1e-4.
  record.modes[1].group_weights = {0.2, 0.2, 0.05, 0.2};
  record.modes[0].group_weights = {0.8, 0.8, 0.95, 0.8};
  expect_reason(record, HasSubstr("mode 2, of weight 0.16"));
}

TEST(Judge, ASmallModeMayBeMissedByChance) {
  MemberRecord record = good_record();
  record.modes[1].group_weights = {0.01, 0.0, 0.0, 0.01};
  record.modes[0].group_weights = {0.99, 1.0, 1.0, 0.99};
  EXPECT_EQ(judge(record).status, VerdictStatus::converged) << sentence(judge(record));
}

// Weights 0.05 to 0.95 about 0.5: variance 0.2025 of 0.25 within, a ratio far over the limit of 0.29.
TEST(Judge, AModeWhoseWeightGroupsDisagreeOn) {
  MemberRecord record = good_record();
  record.modes[0].group_weights = {0.95, 0.05, 0.95, 0.05};
  record.modes[1].group_weights = {};
  expect_reason(record, HasSubstr("mode 1, of weight 0.500, has from 0.050 to 0.950 in the groups"));
}

TEST(Judge, GroupsWhoseEvidencesScatterMoreThanReported) {
  MemberRecord record = good_record();
  record.evidence->by_group = {6.0, 7.0, 8.0, 7.0};  // sd 0.816, of the mean 0.41, against 0.1
  expect_reason(record, AllOf(HasSubstr("log evidences scatter"), HasSubstr("0.41"), HasSubstr("reported is 0.10")));
}

// A sampler that cannot tell the evidence still has groups, and they are compared.
TEST(Judge, GroupsAreComparedWithoutAnEvidence) {
  MemberRecord record = good_record();
  record.evidence.reset();
  EXPECT_EQ(judge(record).status, VerdictStatus::converged);
  record.diagnostics[1].r_hat = 1.9;
  expect_reason(record, HasSubstr("R-hat of log_phi_load is 1.90"));
}

TEST(Judge, WithoutGroupsNothingIsCalledConverged) {
  for (const std::vector<double>& by_group : {std::vector<double>{}, std::vector<double>{7.0}}) {
    MemberRecord record = good_record();
    record.evidence->by_group = by_group;
    for (CoordinateDiagnostics& d : record.diagnostics) d.r_hat.reset();
    for (Mode& mode : record.modes) mode.group_weights.resize(by_group.size());
    EXPECT_EQ(sentence(judge(record)), "unchecked: there are no groups of chains to compare; fit with --groups 4");
    record.diagnostics[0].effective_sample_size = 31.0;
    EXPECT_EQ(judge(record).status, VerdictStatus::not_converged);
  }
}

TEST(Judge, SettingsThatDoNotSampleThePosteriorAreNotExact) {
  MemberRecord record = good_record();
  record.options.annealing.kernel.name = "published";
  EXPECT_EQ(judge(record).status, VerdictStatus::not_exact);
  EXPECT_THAT(sentence(judge(record)), HasSubstr("does not leave the posterior invariant"));
  EXPECT_THAT(judge(record).advice, ElementsAre("use --kernel exact"));
  record = good_record();
  record.options.annealing.growth = Growth::tmcmc;
  EXPECT_EQ(judge(record).status, VerdictStatus::not_exact);
  EXPECT_THAT(judge(record).advice, ElementsAre("use --growth equal"));
  record = good_record();
  record.options.annealing.anneal_to_zero = true;
  EXPECT_EQ(judge(record).status, VerdictStatus::not_exact);
  // More draws would not mend it, but what they would mend is said too.
  record.diagnostics[0].r_hat = 1.5;
  EXPECT_EQ(judge(record).status, VerdictStatus::not_exact);
  EXPECT_THAT(sentence(judge(record)), HasSubstr("R-hat of log_phi_length is 1.50"));
}

TEST(Judge, MassNearTheBorderIsACaveatOfAConvergedFit) {
  MemberRecord record = good_record();
  record.diagnostics[0].mass_near_high = 0.25;
  record.diagnostics[1].mass_near_low = 0.06;
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.status, VerdictStatus::converged);
  EXPECT_THAT(verdict.caveats,
              ElementsAre(AllOf(HasSubstr("25% of the posterior of log_phi_length"), HasSubstr("hardly depend")),
                          HasSubstr("6% of the posterior of log_phi_load lies near the lower border")));
}

TEST(Judge, ASecondRunIsPartOfTheVerdict) {
  MemberRecord record = good_record();
  record.check = RunComparison{2, 2, {{"mean of log_phi_load", 1.0, 1.4, 0.1}, {"log evidence", 7.0, 7.1, 0.1}}};
  EXPECT_EQ(sentence(judge(record)), "converged; a second run with seed 2 agrees");
  record.check->quantities[0].second = 1.6;
  expect_reason(record,
                AllOf(HasSubstr("a second run with seed 2 disagrees: mean of log_phi_load is 1 here, 1.6 there"),
                      HasSubstr("6.0 standard errors")));
  // Without groups a second run that agrees is said, and is not enough.
  record.check->quantities[0].second = 1.0;
  record.evidence->by_group = {};
  EXPECT_EQ(judge(record).status, VerdictStatus::unchecked);
  EXPECT_THAT(sentence(judge(record)), HasSubstr("agrees"));
}

TEST(Judge, SeveralReasonsStandInOneSentence) {
  MemberRecord record = good_record();
  record.diagnostics[0].effective_sample_size = 50.0;
  record.diagnostics[1].r_hat = 1.3;
  const Verdict verdict = judge(record);
  EXPECT_EQ(verdict.reasons.size(), 2u);
  EXPECT_EQ(verdict.advice.size(), 1u);
  EXPECT_EQ(sentence(verdict).find('\n'), std::string::npos);
}

TEST(Judge, AdviceEndsAtTheLargestSample) {
  MemberRecord record = good_record();
  record.options.annealing.num_samples = 5'000'000;
  record.diagnostics[0].r_hat = 1e6;
  EXPECT_EQ(judge(record).advice.front(), "raise --samples to 10000000");
}

// Chi-square quantiles at 1 - 1e-4 with 1, 3 and 63 degrees of freedom: 15.137, 21.108, 116.9 (scipy 1.10).
TEST(LargestRHat, FollowsFromTheLeastNumberOfDraws) {
  for (const auto& [groups, quantile] : {std::pair{2, 15.137}, std::pair{4, 21.108}, std::pair{64, 116.9}}) {
    const double exact = groups / kLeastDraws * quantile / (groups - 1);
    const double limit = largest_r_hat(groups);
    EXPECT_NEAR((limit * limit - 1.0) / exact, 1.0, 0.08) << groups;
  }
}

// Independent normal draws, as many in each group as the least allowed: at a level of 1e-4 no alarm is due in 2000
// trials (five have probability 1e-6 by Poisson, mean 0.2). Groups that differ by two sds must be seen every time.
TEST(LargestRHat, SparesHonestGroupsAndSeesOthers) {
  Stream stream({.seed = 5, .purpose = Purpose::move});
  const double limit = largest_r_hat(4);
  int alarms = 0, seen = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    for (const double shift : {0.0, 2.0}) {
      Vector means(4);
      for (Index g = 0; g < 4; ++g) means[g] = draw_normal(stream) / 5.0 + (g == 0 ? shift : 0.0);  // of 25 draws
      const double between = (means.array() - means.mean()).square().sum() / 3.0;
      (shift == 0.0 ? alarms : seen) += std::sqrt(1.0 + between) > limit ? 1 : 0;
    }
  }
  EXPECT_LT(alarms, 5);
  EXPECT_EQ(seen, 2000);
}

}  // namespace
}  // namespace ta2s2
