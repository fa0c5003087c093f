#include "ta2s2/workflow/input_activity.hpp"

#include <gmock/gmock.h>

#include "ta2s2/workflow/add_runs.hpp"
#include "ta2s2/workflow/judge.hpp"
#include "unit/workflow/good_record.hpp"

namespace ta2s2 {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// ---- found by a fit ----

// One input does nothing, one acts linearly.
OutputRuns three_inputs(Index n = 30, std::uint64_t seed = 3) {
  Stream stream({.seed = seed, .purpose = Purpose::design});
  Matrix inputs(n, 3);
  for (double& x : inputs.reshaped()) x = draw_uniform(stream);
  const Vector output = (6.0 * inputs.col(0).array()).sin() + 2.0 * inputs.col(1).array();
  return OutputRuns(inputs, output, {"curved", "linear", "inert"}, "y");
}

OutputRecord fitted(const std::vector<Setting>& settings, int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  const ValidFitOptions options(test::small_options(settings));
  return fit_model({three_inputs()}, options, {}, {executor, silent}).outputs.front();
}

void expect_found_out(const std::optional<Activity>& activity) {
  ASSERT_TRUE(activity);
  ASSERT_EQ(activity->num_inputs(), 3);
  EXPECT_GT(activity->active[0], 0.99);
  EXPECT_LT(activity->linear[0], 0.01);
  EXPECT_GT(activity->active[1], 0.99);
  EXPECT_GT(activity->linear[1], 0.9);
  EXPECT_LT(activity->active[2], 0.1);
}

TEST(InputActivity, IsStoredByEveryKindOfFit) {
  const std::vector<std::vector<Setting>> kinds = {
      {},
      {{"fast", "true"}},
      {{"trend", "linear"}},
      {{"model", "average"}, {"average-over", "matern52,squared-exponential"}}};
  for (const std::vector<Setting>& settings : kinds) expect_found_out(fitted(settings).activity);
}

TEST(InputActivity, HasTheSameBitsOnAnyNumberOfThreadsAndWhenItIsFoundLater) {
  const OutputRecord one = fitted({}, 1), three = fitted({}, 3);
  EXPECT_EQ(one.activity->active, three.activity->active);
  EXPECT_EQ(one.activity->linear, three.activity->linear);
  OutputRecord of_old_file = one;
  of_old_file.activity.reset();
  ThreadExecutor executor(2);
  EXPECT_EQ(activity_of(of_old_file, executor).active, one.activity->active);
  OutputRecord changed = one;
  changed.activity->active[0] = 0.25;
  EXPECT_EQ(activity_of(changed, executor).active[0], 0.25);  // what is stored counts
}

// The model that weighs nothing has no say.
TEST(InputActivity, IsTheWeightedAverageOfTheMembers) {
  const OutputRecord single = fitted({{"fast", "true"}});
  OutputRecord pair{{single.members.front(), single.members.front()}, {0.75, 0.25}, Weighting::equal};
  pair.members[1].sample.positions.topRows(3).setConstant(-2.0);  // every input acts
  ThreadExecutor executor(2);
  EXPECT_EQ(find_activity(pair, executor).active, (Vector{{1.0, 1.0, 0.25}}));
  pair.weights = {1.0, 0.0};
  EXPECT_EQ(find_activity(pair, executor).active, (Vector{{1.0, 1.0, 0.0}}));
}

TEST(InputActivity, IsFoundAgainWithMoreRuns) {
  OutputRecord before = fitted({});
  before.activity->active.setConstant(0.5);  // of the fit, which tells nothing of the runs added
  ThreadExecutor executor(2);
  Observer silent;
  const EmulatorRecord after = add_runs({{before}}, {three_inputs(5, 4)}, {}, {executor, silent});
  expect_found_out(after.outputs.front().activity);
}

// ---- what is said of it ----

OutputRecord of_inputs(const Vector& active, const Vector& linear) {
  MemberRecord record = test::good_record();
  std::vector<std::string> names;
  for (Index d = 0; d < active.size(); ++d) names.push_back("x" + std::to_string(d + 1));
  const Index n = record.data.num_runs();
  record.data = OutputRuns(Matrix::Random(n, active.size()), record.data.output(), names, "y");
  OutputRecord output = single_member(record);
  output.activity = Activity{active, linear};
  return output;
}

std::string text_of(const OutputRecord& output) {
  return activity_text(*output.activity, output.members.front().data.input_names());
}

std::vector<std::string> notes_of(const OutputRecord& output) {
  std::vector<std::string> sentences;
  for (const Finding& finding : detail::judge_inputs(output)) {
    EXPECT_EQ(finding.question, Question::data);
    EXPECT_EQ(finding.grade, Grade::note);
    sentences.push_back(finding.sentence);
  }
  return sentences;
}

TEST(InputActivity, IsToldInALine) {
  const OutputRecord output =
      of_inputs(Vector{{1.0, 0.96, 0.02, 0.41, 0.0, 0.95}}, Vector{{0.1, 0.95, 0.0, 0.4, 0.0, 0.0}});
  EXPECT_EQ(text_of(output), "active: x1, x2 (linear); undecided: x4 (0.41), x6 (0.95); inert: x3, x5");
  EXPECT_THAT(notes_of(output),
              ElementsAre("inert with probability 0.98 or more: x3, x5; undecided, by the probability of being active: "
                          "x4 (0.41), x6 (0.95)",
                          "acts linearly with probability 0.95: x2"));
}

TEST(InputActivity, OfOneInertInputHasItsProbability) {
  EXPECT_THAT(notes_of(of_inputs(Vector{{1.0, 0.02}}, Vector{{0.0, 0.0}})),
              ElementsAre("inert with probability 0.98: x2"));
  EXPECT_THAT(notes_of(of_inputs(Vector{{1.0, 0.0}}, Vector{{0.0, 0.0}})),
              ElementsAre("inert with probability 0.99 or more: x2"));
  EXPECT_THAT(notes_of(of_inputs(Vector{{1.0, 1.0}}, Vector{{0.96, 0.98}})),
              ElementsAre("act linearly with probability 0.96 or more: x1, x2"));
}

TEST(InputActivity, IsNothingToNoteWhereAllInputsActOrNobodyAsked) {
  OutputRecord output = of_inputs(Vector{{1.0, 1.0}}, Vector{{0.0, 0.5}});
  EXPECT_THAT(notes_of(output), IsEmpty());
  output.activity.reset();
  EXPECT_THAT(notes_of(output), IsEmpty());
}

TEST(InputActivity, IsShortOfAHundredInputs) {
  Vector active = Vector::Zero(100);
  active.head(4).setOnes();
  const OutputRecord few = of_inputs(active, Vector::Zero(100));
  EXPECT_EQ(text_of(few), "active: x1, x2, x3, x4; inert: 96 others");
  EXPECT_EQ(notes_of(few).front(),
            "inert with probability 0.99 or more: x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16 and 84 others");
  EXPECT_EQ(text_of(of_inputs(Vector::Zero(100), Vector::Zero(100))), "inert: all 100");
  EXPECT_EQ(text_of(of_inputs(Vector::Ones(100), Vector::Zero(100))),
            "active: x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12 and 88 others");
}

TEST(InputActivity, IsPartOfTheJudgement) {
  const OutputRecord output = of_inputs(Vector{{1.0, 0.02}}, Vector{{0.0, 0.0}});
  const Judgement judgement = judge(output, {});
  EXPECT_THAT(judgement.warnings(), testing::Not(testing::Contains(testing::HasSubstr("inert"))));
  EXPECT_EQ(judgement.findings.back().sentence, "inert with probability 0.98: x2");
}

}  // namespace
}  // namespace ta2s2
