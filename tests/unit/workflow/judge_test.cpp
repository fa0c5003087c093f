#include "ta2s2/workflow/judge.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "ta2s2/rng/draws.hpp"
#include "ta2s2/workflow/judge_limits.hpp"
#include "unit/workflow/good_record.hpp"

namespace ta2s2 {
namespace {

using test::good_record;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Grade worst(const std::vector<Finding>& findings) {
  return Judgement{"y", findings}.grade();
}

// What `fit` says of this sampler.
std::string sentence(const MemberRecord& record) {
  const Finding finding = judge_sampler(record).front();
  return finding.sentence + (finding.advice.empty() ? "" : "; " + finding.advice);
}

// ---- the sampler ----

// One reason, and more samples as the remedy.
void expect_reason(const MemberRecord& record, const testing::Matcher<std::string>& reason) {
  const SamplerHealth health = check_sampler(record);
  EXPECT_EQ(health.status, SamplerStatus::not_converged) << sentence(record);
  EXPECT_THAT(health.reasons, ElementsAre(reason));
  EXPECT_THAT(health.advice, ElementsAre(HasSubstr("raise --samples to ")));
  EXPECT_EQ(worst(judge_sampler(record)), Grade::bad);
}

TEST(JudgeSampler, AGoodFitIsConverged) {
  EXPECT_EQ(check_sampler(good_record()).status, SamplerStatus::converged);
  const std::vector<Finding> findings = judge_sampler(good_record());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].question, Question::convergence);
  EXPECT_EQ(findings[0].grade, Grade::good);
  EXPECT_EQ(findings[0].value, 400.0);  // the worst coordinate's draws
  EXPECT_EQ(sentence(good_record()), "sampler converged: groups of chains agree");
}

TEST(JudgeSampler, AMaximumIsNoSample) {
  MemberRecord record = good_record();
  record.options.fast = true;
  record.options.annealing.kernel.name = "published";  // which was never used
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::no_sample);
  EXPECT_EQ(worst(judge_sampler(record)), Grade::unknown);
  EXPECT_EQ(
      sentence(record),
      "no posterior sample: --fast predicts by the posterior's maximum (plug-in), as if length-scales and nugget were "
      "known");
}

TEST(JudgeSampler, GroupsThatDifferInACoordinate) {
  MemberRecord record = good_record();
  record.diagnostics[1].r_hat = 1.21;
  expect_reason(record, AllOf(HasSubstr("R-hat of log_phi_load is 1.21"), HasSubstr("at most 1.14")));
  // (1.21^2 - 1) / 4 is worth 8.6 draws in all; 100 need 11.6 times as many, rounded up to one digit.
  EXPECT_EQ(check_sampler(record).advice.front(), "raise --samples to 30000");
  EXPECT_EQ(sentence(record),
            "sampler not converged: R-hat of log_phi_load is 1.21 between groups, expected at most 1.14; "
            "raise --samples to 30000");
}

TEST(JudgeSampler, FewIndependentDraws) {
  MemberRecord record = good_record();
  record.diagnostics[0].effective_sample_size = 60.0;
  expect_reason(record, HasSubstr("worth only 60 independent draws"));
  EXPECT_EQ(check_sampler(record).advice.front(), "raise --samples to 5000");  // 2000 * 1.5 * 100 / 60
}

// Two coordinates: chains of five states will do, and shorter ones need --samples of thirty times that.
TEST(JudgeSampler, ChainsThatAreTooShort) {
  MemberRecord record = good_record();
  record.levels.back().num_states = 2000;
  record.levels.back().num_chains = 400;
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged) << sentence(record);
  record.levels.back().num_chains = 500;
  expect_reason(record, HasSubstr("chains of 4 states are too short in 2 dimensions, expected at least 5"));
  record.options.annealing.chain_length = 4;  // more samples would not make them longer
  EXPECT_THAT(check_sampler(record).advice, ElementsAre("leave out --chain-length"));
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_converged);
  record.options.annealing.growth = Growth::tmcmc;  // whose lengths are what they are
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  EXPECT_THAT(check_sampler(record).reasons, testing::SizeIs(1));
}

TEST(JudgeSampler, AModeThatAGroupLost) {
  MemberRecord record = good_record();
  record.modes[1].group_weights = {0.2, 0.2, 0.0, 0.2};
  record.modes[0].group_weights = {0.8, 0.8, 1.0, 0.8};
  // 200 draws to a group would miss a weight of 0.15 with probability 0.85^200 < 1e-14 ...
  expect_reason(record, HasSubstr("1 of 4 groups lost mode 2, of weight 0.150"));
  // ... but 40 with 0.0015, and that is no proof.
  record.modes[1].effective_sample_size = 160.0;
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged) << sentence(record);
}

// What earlier levels left of it in a group's weights does not hide that.
TEST(JudgeSampler, AModeThatAGroupLostInItsLastLevels) {
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

TEST(JudgeSampler, ASmallModeMayBeMissedByChance) {
  MemberRecord record = good_record();
  record.modes[1].group_weights = {0.01, 0.0, 0.0, 0.01};
  record.modes[0].group_weights = {0.99, 1.0, 1.0, 0.99};
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged) << sentence(record);
}

// Weights 0.05 to 0.95 about 0.5: variance 0.2025 of 0.25 within, a ratio far over the limit of 0.29.
TEST(JudgeSampler, AModeWhoseWeightGroupsDisagreeOn) {
  MemberRecord record = good_record();
  record.modes[0].group_weights = {0.95, 0.05, 0.95, 0.05};
  record.modes[1].group_weights = {};
  expect_reason(record, HasSubstr("mode 1, of weight 0.500, has from 0.050 to 0.950 in the groups"));
}

TEST(JudgeSampler, GroupsWhoseEvidencesScatterMoreThanReported) {
  MemberRecord record = good_record();
  record.evidence->by_group = {6.0, 7.0, 8.0, 7.0};  // sd 0.816, of the mean 0.41, against 0.1
  expect_reason(record, AllOf(HasSubstr("log evidences scatter"), HasSubstr("0.41"), HasSubstr("reported is 0.10")));
}

// A sampler that cannot tell the evidence still has groups, and they are compared.
TEST(JudgeSampler, GroupsAreComparedWithoutAnEvidence) {
  MemberRecord record = good_record();
  record.evidence.reset();
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged);
  record.diagnostics[1].r_hat = 1.9;
  expect_reason(record, HasSubstr("R-hat of log_phi_load is 1.90"));
}

TEST(JudgeSampler, WithoutGroupsNothingIsCalledConverged) {
  for (const std::vector<double>& by_group : {std::vector<double>{}, std::vector<double>{7.0}}) {
    MemberRecord record = good_record();
    record.evidence->by_group = by_group;
    for (CoordinateDiagnostics& d : record.diagnostics) d.r_hat.reset();
    for (Mode& mode : record.modes) mode.group_weights.resize(by_group.size());
    EXPECT_EQ(worst(judge_sampler(record)), Grade::caution);
    EXPECT_EQ(sentence(record), "sampler unchecked: there are no groups of chains to compare; fit with --groups 4");
    record.diagnostics[0].effective_sample_size = 31.0;
    EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_converged);
  }
}

TEST(JudgeSampler, SettingsThatDoNotSampleThePosteriorAreNotExact) {
  MemberRecord record = good_record();
  record.options.annealing.kernel.name = "published";
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  EXPECT_THAT(sentence(record), HasSubstr("does not leave the posterior invariant"));
  EXPECT_THAT(check_sampler(record).advice, ElementsAre("use --move exact"));
  record = good_record();
  record.options.annealing.growth = Growth::tmcmc;
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  EXPECT_THAT(check_sampler(record).advice, ElementsAre("use --growth equal"));
  record = good_record();
  record.options.annealing.anneal_to_zero = true;
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  EXPECT_EQ(worst(judge_sampler(record)), Grade::bad);
  // More draws would not mend it, but what they would mend is said too.
  record.diagnostics[0].r_hat = 1.5;
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::not_exact);
  EXPECT_THAT(sentence(record), HasSubstr("R-hat of log_phi_length is 1.50"));
}

TEST(JudgeSampler, TellsABoxThatDecidesFromRunsThatAreFlatOrWithoutNoise) {
  MemberRecord record = good_record();
  record.diagnostics.push_back({"z_nugget", 900.0, 0.3, 0.0, 1.001});
  record.diagnostics[1].mass_near_high = 0.25;
  record.options.box = {-7.0, 7.0};
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged);
  std::vector<Finding> findings = judge_sampler(record);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(worst(findings), Grade::good);  // both are notes
  EXPECT_EQ(findings[1].sentence,
            "length-scales reach the upper border of their box: the runs hardly depend on load, or only linearly");
  EXPECT_EQ(findings[2].sentence, "the nugget reaches the lower border of its box: the runs show no noise");
  record.diagnostics[0].mass_near_low = 0.06;
  record.diagnostics[2].mass_near_high = 0.4;
  findings = judge_sampler(record);
  EXPECT_EQ(worst(findings), Grade::caution);
  EXPECT_EQ(findings[1].sentence,
            "the box decides part of the posterior: log_phi_length (6% near its lower border), "
            "z_nugget (40% near its upper border)");
  EXPECT_THAT(findings[1].advice, HasSubstr("widen --box"));
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::converged);
}

TEST(JudgeSampler, TheUpperBorderOfThePriorsOwnBoxMeansNothing) {
  MemberRecord record = good_record();
  record.diagnostics[1].mass_near_high = 0.25;
  record.options.prior = "sparse-jointly-robust";
  record.options.box = {-7.0, 100.0};
  EXPECT_EQ(judge_sampler(record).size(), 1u);
  record.diagnostics[0].mass_near_low = 0.06;  // the lower border does
  EXPECT_EQ(judge_sampler(record).size(), 2u);
}

TEST(JudgeSampler, ASecondRunIsPartOfIt) {
  MemberRecord record = good_record();
  record.check = RunComparison{2, 2, {{"mean of log_phi_load", 1.0, 1.4, 0.1}, {"log evidence", 7.0, 7.1, 0.1}}};
  EXPECT_EQ(sentence(record), "sampler converged: groups of chains agree; a second run with seed 2 agrees");
  record.check->quantities[0].second = 1.6;
  expect_reason(record,
                AllOf(HasSubstr("a second run with seed 2 disagrees: mean of log_phi_load is 1 here, 1.6 there"),
                      HasSubstr("6.0 standard errors")));
  // Without groups a second run that agrees is said, and is not enough.
  record.check->quantities[0].second = 1.0;
  record.evidence->by_group = {};
  EXPECT_EQ(check_sampler(record).status, SamplerStatus::unchecked);
  EXPECT_THAT(sentence(record), HasSubstr("agrees"));
}

TEST(JudgeSampler, SeveralReasonsStandInOneSentence) {
  MemberRecord record = good_record();
  record.diagnostics[0].effective_sample_size = 50.0;
  record.diagnostics[1].r_hat = 1.3;
  EXPECT_EQ(check_sampler(record).reasons.size(), 2u);
  EXPECT_EQ(check_sampler(record).advice.size(), 1u);
  EXPECT_EQ(sentence(record),
            "sampler not converged: the sample is worth only 50 independent draws in its worst coordinate, expected at "
            "least 100; R-hat of log_phi_load is 1.30 between groups, expected at most 1.14; raise --samples to 40000");
}

TEST(JudgeSampler, AdviceEndsAtTheLargestSample) {
  MemberRecord record = good_record();
  record.options.samples = 5'000'000;
  record.diagnostics[0].r_hat = 1e6;
  EXPECT_EQ(check_sampler(record).advice.front(), "raise --samples to 10000000");
}

// Chi-square quantiles at 1 - 1e-4 with 1, 3 and 63 degrees of freedom: 15.137, 21.108, 116.9 (scipy 1.10).
TEST(LargestRHat, FollowsFromTheLeastNumberOfDraws) {
  for (const auto& [groups, quantile] : {std::pair{2, 15.137}, std::pair{4, 21.108}, std::pair{64, 116.9}}) {
    const double exact = groups / JudgeLimits::least_draws * quantile / (groups - 1);
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

// ---- the members of an average ----

OutputRecord average_of(double first_weight) {
  OutputRecord average{{good_record(), good_record()}, {first_weight, 1.0 - first_weight}, Weighting::evidence};
  average.members[1].options.correlation = "matern32";
  return average;
}

std::vector<Finding> convergence_of(const OutputRecord& output) {
  std::vector<Finding> found;
  for (const Finding& finding : judge(output, {}).findings) {
    if (finding.question == Question::convergence) found.push_back(finding);
  }
  return found;
}

TEST(JudgeAverage, SaysOnceWhatIsTrueOfEveryModel) {
  const std::vector<Finding> found = convergence_of(average_of(0.9));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].sentence, "sampler converged in every model: groups of chains agree");
  EXPECT_EQ(found[0].member, "every model");
  EXPECT_EQ(found[0].grade, Grade::good);
}

// At half a per cent too: an evidence that is wrong by five could make it half.
TEST(JudgeAverage, IsAsGoodAsTheWorstModelThatCounts) {
  for (const double weight : {0.9, 0.995, 0.999}) {
    OutputRecord average = average_of(weight);
    average.members[1].diagnostics[0].effective_sample_size = 60.0;
    const std::vector<Finding> found = convergence_of(average);
    ASSERT_EQ(found.size(), 2u) << weight;
    EXPECT_EQ(worst(found), Grade::bad);
    EXPECT_EQ(sampler_status(average), SamplerStatus::not_converged);
    EXPECT_THAT(found[1].sentence, HasSubstr("sampler not converged in matern32 (weight " +
                                             detail::rounded(1.0 - weight) + "): the sample is worth only 60 "));
  }
  OutputRecord average = average_of(0.9992);
  average.members[1].diagnostics[0].effective_sample_size = 60.0;
  EXPECT_EQ(worst(convergence_of(average)), Grade::good);
  EXPECT_EQ(sampler_status(average), SamplerStatus::converged);
}

// Stacking does not rest on what the member's sampler says of its evidence.
TEST(JudgeAverage, ASmallMemberThatHasNotConvergedIsACaution) {
  for (const Weighting weighting : {Weighting::stacking, Weighting::evidence}) {
    for (const double small : {0.04, 0.0005}) {
      OutputRecord average = average_of(1.0 - small);
      average.weighting = weighting;
      average.members[1].diagnostics[0].effective_sample_size = 60.0;
      const bool by_stacking = weighting == Weighting::stacking;
      const Grade expected = by_stacking ? Grade::caution : small > 0.001 ? Grade::bad : Grade::good;
      EXPECT_EQ(worst(convergence_of(average)), expected) << small;
      const bool is_failure = expected == Grade::bad;
      EXPECT_EQ(sampler_status(average), is_failure ? SamplerStatus::not_converged : SamplerStatus::converged);
    }
  }
  OutputRecord average = average_of(0.9);
  average.weighting = Weighting::stacking;
  average.members[1].diagnostics[0].effective_sample_size = 60.0;
  EXPECT_EQ(worst(convergence_of(average)), Grade::bad);
  EXPECT_EQ(sampler_status(average), SamplerStatus::not_converged);
}

// The large member and the small one have the same trouble; only one of them may fail the average.
TEST(JudgeAverage, TellsWhatIsAFailureFromWhatIsACaution) {
  OutputRecord average = average_of(0.97);
  average.weighting = Weighting::stacking;
  for (MemberRecord& member : average.members) member.diagnostics[0].effective_sample_size = 60.0;
  const std::vector<Finding> found = convergence_of(average);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].grade, Grade::bad);
  EXPECT_EQ(found[1].grade, Grade::caution);
}

TEST(JudgeRecalibration, IsStatedAsANote) {
  OutputRecord output = single_member(good_record());
  const auto notes = [&] {
    Index count = 0;
    for (const Finding& finding : judge(output, {}).findings) {
      count += finding.sentence.find("intervals widened by 1.08") != std::string::npos ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(notes(), 0);
  output.recalibration = 1.08;
  EXPECT_EQ(notes(), 1);
  EXPECT_NE(judge(output, {}).grade(), Grade::bad);
}

TEST(JudgeAverage, OfOneModelIsThatModels) {
  MemberRecord record = good_record();
  record.diagnostics[0].effective_sample_size = 60.0;
  const std::vector<Finding> found = convergence_of(single_member(record));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].sentence, judge_sampler(record).front().sentence);
  EXPECT_EQ(found[0].member, "");
}

// ---- predictions ----

// A fit of so many runs with nothing wrong with its sampler. Predicted means of left-out runs err by `error` sds of the
// outputs; so many of them lie in their 95% and 50% intervals.
struct KnownRuns {
  OutputRecord output;
  LeftOutFacts facts;

  KnownRuns(Index n, Index inside, Index in_half, double error = 0.1) : output(single_member(good_record())) {
    MemberRecord& member = output.members.front();
    member.data = test::small_runs(n);
    const Vector& y = member.data.output();
    const double sd = std::sqrt((y.array() - y.mean()).square().mean());
    facts = {400,       y.array() + error * sd, Vector::Constant(n, sd),
             Vector(n), Vector::Zero(n),        Vector::Constant(n, 0.2)};
    for (Index i = 0; i < n; ++i) facts.pit[i] = i < in_half ? 0.5 : i < inside ? 0.9 : 0.999;
  }

  Judgement judged() const { return judge(output, facts); }
};

const Finding& find(const Judgement& judgement, Question question) {
  for (const Finding& finding : judgement.findings) {
    if (finding.question == question) return finding;
  }
  ADD_FAILURE() << "nothing is said of " << to_word(question);
  return judgement.findings.front();
}

TEST(Judge, AGoodFitIsGoodInOneLine) {
  const KnownRuns runs(100, 95, 50);
  const Judgement judgement = runs.judged();
  EXPECT_EQ(judgement.output, "weight");
  EXPECT_EQ(judgement.grade(), Grade::good);
  EXPECT_THAT(
      judgement.headline(),
      testing::MatchesRegex("typical error 0\\.[0-9]+ \\([0-9.]+% of the range\\); 95% intervals held 95 of 100 "
                            "left-out runs; sampler converged"));
  EXPECT_THAT(judgement.warnings(), IsEmpty());
  EXPECT_NEAR(find(judgement, Question::accuracy).value.value(), 0.99, 1e-12);
  EXPECT_EQ(find(judgement, Question::coverage).value, 0.95);
}

// R^2 = 1 - error^2: limits at 0.5 and 0.1.
TEST(Judge, AnEmulatorThatPredictsNothingIsBad) {
  for (const auto& [error, grade] :
       {std::pair{0.70, Grade::good}, std::pair{0.72, Grade::caution}, std::pair{0.94, Grade::caution},
        std::pair{0.96, Grade::bad}, std::pair{1.3, Grade::bad}}) {
    const Judgement judgement = KnownRuns(100, 95, 50, error).judged();
    EXPECT_EQ(judgement.grade(), grade) << error;
    EXPECT_EQ(find(judgement, Question::accuracy).grade, grade) << error;
  }
  EXPECT_THAT(find(KnownRuns(100, 95, 50, 1.0).judged(), Question::accuracy).sentence,
              HasSubstr("explain 0% of the variance, the mean of all runs predicts as well"));
}

// P(X <= k) of 100 runs at 0.95 is 0.028 for 90, 0.011 for 89, 0.0015 for 87 and 0.0005 for 86.
TEST(Judge, FollowsTheCoverageOfIntervals) {
  for (const auto& [inside, grade] :
       {std::pair{95, Grade::good}, std::pair{90, Grade::good}, std::pair{89, Grade::caution},
        std::pair{87, Grade::caution}, std::pair{86, Grade::bad}, std::pair{60, Grade::bad}}) {
    const Judgement judgement = KnownRuns(100, inside, 50).judged();
    EXPECT_EQ(judgement.grade(), grade) << inside;
    EXPECT_EQ(find(judgement, Question::coverage).grade, grade) << inside;
  }
  EXPECT_THAT(KnownRuns(100, 60, 50).judged().warnings(),
              ElementsAre(HasSubstr("95% intervals held only 60 of 100 left-out runs: predictions are less certain")));
}

TEST(Judge, NotesIntervalsThatAreWiderThanNeeded) {
  const Judgement judgement = KnownRuns(100, 100, 90).judged();
  EXPECT_EQ(judgement.grade(), Grade::good);
  EXPECT_EQ(judgement.findings[2].question, Question::coverage);
  EXPECT_EQ(judgement.findings[2].grade, Grade::note);
  EXPECT_THAT(judgement.findings[2].sentence,
              HasSubstr("50% intervals held 90 of 100 left-out runs: intervals are wider"));
}

TEST(Judge, TooFewRunsTellNothingOfIntervalsThatHoldThemAll) {
  EXPECT_EQ(KnownRuns(15, 15, 8).judged().grade(), Grade::good);
  const Judgement judgement = KnownRuns(14, 14, 7).judged();
  EXPECT_EQ(judgement.grade(), Grade::unknown);
  EXPECT_THAT(judgement.warnings(), IsEmpty());
  EXPECT_THAT(judgement.headline(), HasSubstr("95% intervals held 14 of 14 left-out runs; "));
  EXPECT_THAT(find(judgement, Question::coverage).sentence, HasSubstr("too few runs to tell"));
  // But few runs can tell that intervals are wrong: P(X <= 6) of 14 is 2e-8.
  EXPECT_EQ(KnownRuns(14, 6, 3).judged().grade(), Grade::bad);
}

// What judge_limits.hpp says of its fewest_runs: how often intervals that hold 80% are found out.
TEST(Judge, FewestRunsAreEnoughToSeeIntervalsThatAreTooNarrow) {
  const auto chance_to_see = [](Index n) {
    Index most = -1;
    while (CountLaw::binomial(n, 0.95).at_most(most + 1) < JudgeLimits::cautious_tail) ++most;
    return CountLaw::binomial(n, 0.8).at_most(most);
  };
  EXPECT_NEAR(chance_to_see(15), 0.35, 0.005);
  EXPECT_NEAR(chance_to_see(25), 0.58, 0.005);
  EXPECT_NEAR(chance_to_see(100), 0.99, 0.005);
  EXPECT_NEAR(chance_to_see(6), 0.10, 0.005);
  for (Index n = JudgeLimits::fewest_runs; n <= 200; ++n) EXPECT_GT(chance_to_see(n), 1.0 / 3.0) << n;
  EXPECT_LT(chance_to_see(JudgeLimits::fewest_runs - 1), 1.0 / 3.0);
}

TEST(Judge, NoRunThatCanBeLeftOutLeavesAccuracyUnknown) {
  KnownRuns runs(20, 20, 10);
  runs.facts = {};
  EXPECT_EQ(runs.judged().grade(), Grade::unknown);
  EXPECT_EQ(runs.judged().headline(), "typical error unknown; sampler converged");
}

// Of 100 runs five are 5%, which is a note, and six are more.
TEST(Judge, CountsRunsWhoseLeaveOneOutRestsOnFewDraws) {
  KnownRuns runs(100, 95, 50);
  runs.facts.k_hat.head(5).setConstant(0.71);
  runs.facts.k_hat[5] = 0.69;
  EXPECT_EQ(runs.judged().grade(), Grade::good);
  EXPECT_EQ(find(runs.judged(), Question::reliability).grade, Grade::note);
  runs.facts.k_hat[5] = NAN;  // too few draws to tell
  EXPECT_EQ(runs.judged().grade(), Grade::caution);
  EXPECT_EQ(find(runs.judged(), Question::reliability).value, 0.06);
  EXPECT_THAT(find(runs.judged(), Question::reliability).sentence,
              HasSubstr("leave-one-out of 6 of 100 runs rests on"));
  runs.output.members.front().options.fast = true;  // which weighs no draws
  for (const Finding& finding : runs.judged().findings) EXPECT_NE(finding.question, Question::reliability);
}

TEST(Judge, LeavesOutOfItsCountsARunThatTheTrendNeeds) {
  KnownRuns runs(100, 95, 50);
  for (Vector* numbers : {&runs.facts.mean, &runs.facts.sd, &runs.facts.pit, &runs.facts.crps, &runs.facts.k_hat}) {
    (*numbers)[0] = NAN;
  }
  const Judgement judgement = runs.judged();
  EXPECT_EQ(judgement.grade(), Grade::good);
  EXPECT_THAT(judgement.headline(), HasSubstr("held 94 of 99 left-out runs"));
  EXPECT_EQ(find(judgement, Question::reliability).sentence, "1 run cannot be left out: the trend needs it");
}

TEST(Judge, RepeatsEachNoticeOnce) {
  KnownRuns runs(100, 95, 50);
  MemberRecord other = runs.output.members.front();
  other.notices = {"rows were left out", "more"};
  runs.output.members = {other, other};
  runs.output.weights = {0.5, 0.5};
  runs.output.members[0].notices = {"rows were left out"};
  std::vector<std::string> notes;
  for (const Finding& finding : runs.judged().findings) {
    if (finding.question == Question::data) notes.push_back(finding.sentence);
  }
  EXPECT_THAT(notes, ElementsAre("rows were left out", "more"));
  EXPECT_EQ(runs.judged().grade(), Grade::good);
}

TEST(Judge, TheWorstIsWarnedOfFirst) {
  KnownRuns runs(100, 60, 30, 0.8);
  runs.output.members.front().diagnostics[0].mass_near_low = 0.4;
  const Judgement judgement = runs.judged();
  EXPECT_EQ(judgement.grade(), Grade::bad);
  EXPECT_THAT(judgement.warnings(),
              ElementsAre(HasSubstr("95% intervals held only 60"), HasSubstr("explain 36% of the variance; more runs"),
                          HasSubstr("the box decides part of the posterior")));
  EXPECT_TRUE(std::is_sorted(judgement.findings.begin(), judgement.findings.end(),
                             [](const Finding& a, const Finding& b) { return a.question < b.question; }));
}

// ---- with validation runs ----

UnseenRuns validation_of(Index n, Index inside, Index in_half, double rmse = 0.1) {
  const KnownRuns known(n, inside, in_half);
  return {rmse, {known.facts.pit.begin(), known.facts.pit.end()}};
}

TEST(JudgeValidation, AnswersInsteadOfLeftOutRuns) {
  const KnownRuns bad(100, 60, 30, 1.2);
  const UnseenRuns validation = validation_of(50, 48, 25);
  const Judgement judgement = judge(bad.output, bad.facts, &validation);
  EXPECT_EQ(judgement.grade(), Grade::good);
  EXPECT_THAT(judgement.headline(), AllOf(HasSubstr("typical error 0.10 "), HasSubstr("48 of 50 validation runs")));
  std::vector<std::string> notes;
  for (const Finding& finding : judgement.findings) {
    if (finding.grade == Grade::note) notes.push_back(finding.sentence);
  }
  EXPECT_THAT(notes, ElementsAre(HasSubstr(" on left-out runs: "), HasSubstr("held only 60 of 100 left-out runs")));
  // And the other way round.
  const KnownRuns good(100, 95, 50);
  const UnseenRuns wrong = validation_of(50, 30, 15);
  EXPECT_EQ(judge(good.output, good.facts, &wrong).grade(), Grade::bad);
}

TEST(JudgeValidation, AllowsWhatRunsThatErrTogetherAreAllowed) {
  const KnownRuns good(100, 95, 50);
  UnseenRuns validation = validation_of(50, 30, 15);
  // One time in ten all fifty are far out together.
  Matrix pits = Matrix::Constant(50, 1000, 0.5);
  pits.leftCols(100).setConstant(0.999);
  validation.chance = ChanceLaw(pits);
  EXPECT_EQ(judge(good.output, good.facts, &validation).grade(), Grade::good);
}

// Only where it can change what is said, of either end.
TEST(JudgeValidation, AsksForTheJointLawWhereItMatters) {
  EXPECT_FALSE(needs_joint_law(validation_of(50, 48, 25).pit));
  EXPECT_TRUE(needs_joint_law(validation_of(50, 30, 15).pit));
  EXPECT_TRUE(needs_joint_law(validation_of(50, 50, 45).pit));
  EXPECT_FALSE(needs_joint_law({}));
}

TEST(JudgeValidation, TellsHardlyOutsideFromFar) {
  const KnownRuns good(100, 95, 50);
  UnseenRuns validation = validation_of(50, 48, 25);
  validation.num_outside = 2;
  validation.farthest = 0.01;
  EXPECT_EQ(judge(good.output, good.facts, &validation).grade(), Grade::good);
  EXPECT_EQ(find(judge(good.output, good.facts, &validation), Question::extrapolation).grade, Grade::note);
  validation.farthest = 0.3;
  const Judgement judgement = judge(good.output, good.facts, &validation);
  EXPECT_EQ(judgement.grade(), Grade::caution);
  EXPECT_THAT(find(judgement, Question::extrapolation).sentence,
              HasSubstr("2 of 50 validation runs lie outside the inputs' ranges, by up to 30% of a range"));
}

// Leave-one-out of a true fit: facts as a fit stores them are those that are found again.
TEST(LeftOutFacts, OfAFitAreFoundAgain) {
  ThreadExecutor one(1), three(3);
  const OutputRecord output = single_member(test::small_fit());
  const LeftOutFacts facts = find_left_out_facts(output, one), again = find_left_out_facts(output, three);
  ASSERT_EQ(facts.num_runs(), 14);
  EXPECT_EQ(facts.mean, again.mean);
  EXPECT_EQ(facts.pit, again.pit);
  for (Index i = 0; i < facts.num_runs(); ++i) {
    ASSERT_TRUE(facts.is_known(i));
    EXPECT_NEAR(facts.mean[i], output.members.front().data.output()[i], 6.0 * facts.sd[i]);
  }
  OutputRecord stored = output;
  stored.left_out = facts;
  stored.left_out->mean[0] += 1.0;
  EXPECT_EQ(left_out_facts(stored, one).mean[0], facts.mean[0] + 1.0);  // what is stored counts
}

}  // namespace
}  // namespace ta2s2
