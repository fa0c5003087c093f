#include "ta2s2/workflow/add_runs_to_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "ta2s2/workflow/fit_model.hpp"
#include "ta2s2/workflow/model_average.hpp"
#include "ta2s2/workflow/prior_constant.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

constexpr Index kKnown = 12, kAll = 16;

OutputRuns runs_between(const OutputRuns& all, Index begin, Index end) {
  return OutputRuns(all.inputs().middleRows(begin, end - begin), all.output().segment(begin, end - begin),
                    all.input_names(), all.output_name(), {"more.csv", {}, {}, {}});
}

// The small fit's runs, and another output of them.
std::vector<OutputRuns> two_outputs(Index begin, Index end) {
  const OutputRuns weight = test::small_runs(kAll);
  const Vector other = weight.inputs().col(0).array().sqrt() + 1e3 * weight.inputs().col(1).array();
  return {runs_between(weight, begin, end),
          runs_between(OutputRuns(weight.inputs(), other, weight.input_names(), "sag"), begin, end)};
}

EmulatorRecord known_model(const std::vector<OutputRuns>& outputs, std::vector<Setting> settings = {}) {
  ThreadExecutor executor(2);
  Observer silent;
  settings.push_back({"model", "average"});
  return fit_model(outputs, ValidFitOptions(test::small_options(settings)), {}, {executor, silent});
}

EmulatorRecord add(const EmulatorRecord& model, const std::vector<OutputRuns>& added, int threads = 2,
                   Observer&& observer = Observer()) {
  ThreadExecutor executor(threads);
  return add_runs(model, added, {}, {executor, observer});
}

MemberRecord add_alone(const MemberRecord& fit, const OutputRuns& added) {
  ThreadExecutor executor(2);
  Observer silent;
  return add_runs(fit, added, {}, {executor, silent});
}

void expect_same_bits(const MemberRecord& a, const MemberRecord& b) {
  EXPECT_EQ(a.sample.positions, b.sample.positions);
  EXPECT_EQ(a.sample.weights, b.sample.weights);
  EXPECT_EQ(a.sample.energies, b.sample.energies);
  EXPECT_EQ(a.evidence->log_evidence, b.evidence->log_evidence);
  EXPECT_EQ(a.evidence->by_group, b.evidence->by_group);
  EXPECT_EQ(a.evidence->standard_error, b.evidence->standard_error);
  EXPECT_EQ(a.map.position, b.map.position);
  EXPECT_EQ(a.history->batches, b.history->batches);
  EXPECT_EQ(a.data.fingerprint(), b.data.fingerprint());
  EXPECT_EQ(a.notices, b.notices);
}

TEST(AddRunsToModel, EachModelIsContinuedAsIfItWereAlone) {
  const std::vector<OutputRuns> added = two_outputs(kKnown, kAll);
  const EmulatorRecord model = known_model(two_outputs(0, kKnown));
  for (const int threads : {1, 3}) {
    const EmulatorRecord updated = add(model, added, threads);
    ASSERT_EQ(updated.outputs.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_EQ(updated.outputs[k].members.size(), 2u);
      for (std::size_t m = 0; m < 2; ++m) {
        expect_same_bits(updated.outputs[k].members[m], add_alone(model.outputs[k].members[m], added[k]));
      }
    }
  }
}

TEST(AddRunsToModel, AnOutputOfOneModelBesideAnAverage) {
  const std::vector<OutputRuns> added = two_outputs(kKnown, kAll);
  const MemberRecord single = test::small_fit({}, two_outputs(0, kKnown)[0]);
  const EmulatorRecord average = known_model({two_outputs(0, kKnown)[1]});
  const EmulatorRecord updated = add({{single_member(single), average.outputs[0]}}, added);
  expect_same_bits(updated.outputs[0].members[0], add_alone(single, added[0]));
  EXPECT_EQ(updated.outputs[0].weights, std::vector<double>{1.0});
  EXPECT_EQ(updated.outputs[0].weighting, std::nullopt);
  ASSERT_EQ(updated.outputs[1].members.size(), 2u);
}

TEST(AddRunsToModel, WeightsFollowTheNewEvidences) {
  const EmulatorRecord model = known_model({two_outputs(0, kKnown)[0]});
  const OutputRecord updated = add(model, {two_outputs(kKnown, kAll)[0]}).outputs[0];
  EXPECT_NE(updated.weights, model.outputs[0].weights);
  EXPECT_NEAR(std::log(updated.weights[1] / updated.weights[0]),
              updated.members[1].evidence->log_evidence - updated.members[0].evidence->log_evidence, 1e-9);
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_EQ(updated.members[m].evidence->log_evidence,
              model.outputs[0].members[m].evidence->log_evidence + updated.members[m].history->log_evidence_increment);
  }
}

TEST(AddRunsToModel, OtherWeightingsAreKept) {
  for (const Weighting weighting : {Weighting::stacking, Weighting::equal}) {
    const EmulatorRecord model = known_model({two_outputs(0, kKnown)[0]}, {{"weighting", to_word(weighting)}});
    const OutputRecord updated = add(model, {two_outputs(kKnown, kAll)[0]}).outputs[0];
    ThreadExecutor executor(2);
    EXPECT_EQ(updated.weighting, weighting);
    EXPECT_EQ(updated.weights, model_weights(updated.members, weighting, executor));
  }
}

// Which runs the levels were of.
class Listener final : public Observer {
 public:
  explicit Listener(std::set<std::string>& names) : names_(names) {}
  Verdict on_level(const LevelSummary& report) override {
    names_.insert(report.run);
    return Verdict::go_on;
  }

 private:
  std::set<std::string>& names_;
};

TEST(AddRunsToModel, LevelsSayWhichModelTheyAreOf) {
  std::set<std::string> names;
  add(known_model(two_outputs(0, kKnown)), two_outputs(kKnown, kAll), 2, Listener(names));
  EXPECT_EQ(names, (std::set<std::string>{"weight, squared-exponential", "weight, matern52", "sag, squared-exponential",
                                          "sag, matern52"}));
}

TEST(AddRunsToModel, AfreshHasTheSameFrozenValuesAndNoHistory) {
  const EmulatorRecord model = known_model(two_outputs(0, kKnown));
  ThreadExecutor executor(2);
  Observer silent;
  const EmulatorRecord fresh = fit_all_afresh(model, two_outputs(kKnown, kAll), {}, {executor, silent});
  for (const OutputRecord& output : fresh.outputs) {
    ASSERT_EQ(output.members.size(), 2u);
    EXPECT_NEAR(std::log(output.weights[1] / output.weights[0]),
                output.members[1].evidence->log_evidence - output.members[0].evidence->log_evidence, 1e-9);
    for (const MemberRecord& fit : output.members) {
      EXPECT_EQ(fit.data.num_runs(), kAll);
      EXPECT_EQ(fit.prior_runs, kKnown);
      EXPECT_FALSE(fit.history);
    }
  }
}

// ---- the reference prior, whose constant changes with the design ----

MemberRecord normalised(MemberRecord fit) {
  ThreadExecutor executor(2);
  Observer silent;
  normalise_evidence(fit, {executor, silent});
  return fit;
}

// Normalised, then continued; or continued, then normalised by the constant of all runs. The constants are the same
// draws' in both orders, so that only rounding differs; what an update that kept the old constant would report is seen.
TEST(AddRunsToModel, ANormalisedEvidenceFollowsThePriorsConstant) {
  const OutputRuns added = two_outputs(kKnown, kAll)[0];
  const MemberRecord before = test::small_fit({{"prior", "reference"}}, two_outputs(0, kKnown)[0]);
  ASSERT_FALSE(before.evidence->is_normalised);
  const MemberRecord first = add_alone(normalised(before), added);
  const MemberRecord second = normalised(add_alone(before, added));
  EXPECT_TRUE(first.evidence->is_normalised);
  EXPECT_NEAR(first.evidence->log_evidence, second.evidence->log_evidence, 1e-9);
  EXPECT_NEAR(first.evidence->by_group.front(), second.evidence->by_group.front(), 1e-9);
  const double kept = add_alone(before, added).history->log_evidence_increment;
  EXPECT_GT(std::abs(first.history->log_evidence_increment - kept), 0.01) << "the constant has not changed";
}

// ---- errors ----

TEST(AddRunsToModel, AnyModelThatCannotBeContinuedIsRefusedBeforeTheWork) {
  std::set<std::string> names;
  const MemberRecord good = test::small_fit({}, two_outputs(0, kKnown)[0]);
  const MemberRecord bad = test::small_fit({{"sampler", "map"}}, two_outputs(0, kKnown)[1]);
  const std::string text = test::message_of(ErrorCode::usage, [&] {
    add({{single_member(good), single_member(bad)}}, two_outputs(kKnown, kAll), 2, Listener(names));
  });
  test::expect_parts(text, {"--sampler map", "fit all runs again"});
  EXPECT_TRUE(names.empty());
}

}  // namespace
}  // namespace ta2s2
