#include "ta2s2/workflow/fit.hpp"

#include <gtest/gtest.h>

#include <set>

#include "unit/data/caught_error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

// The small fit's runs, and another output of them.
std::vector<OutputRuns> two_outputs() {
  const OutputRuns weight = test::small_runs();
  const Vector other = weight.inputs().col(0).array().sqrt() + 1e3 * weight.inputs().col(1).array();
  return {weight, OutputRuns(weight.inputs(), other, weight.input_names(), "sag")};
}

EmulatorRecord fit_both(int threads, Observer& observer) {
  ThreadExecutor executor(threads);
  return fit_model(two_outputs(), ValidFitOptions(test::small_options({{"output", "weight,sag"}})), {},
                   {executor, observer});
}

// Which runs the levels were of.
class Listener final : public Observer {
 public:
  Verdict on_level(const LevelSummary& report) override {
    names.insert(report.run);
    return Verdict::go_on;
  }
  std::set<std::string> names;
};

TEST(FitModel, EachOutputIsFittedAsIfItWereAlone) {
  Observer silent;
  for (const int threads : {1, 3}) {
    const EmulatorRecord both = fit_both(threads, silent);
    ASSERT_EQ(output_names(both), (std::vector<std::string>{"weight", "sag"}));
    for (std::size_t k = 0; k < 2; ++k) {
      const MemberRecord alone = test::small_fit({{"inputs", "length,load"}}, two_outputs()[k]);
      const MemberRecord& member = both.outputs[k].members.front();
      EXPECT_EQ(member.sample.positions, alone.sample.positions);
      EXPECT_EQ(member.sample.weights, alone.sample.weights);
      EXPECT_EQ(member.evidence->log_evidence, alone.evidence->log_evidence);
      EXPECT_EQ(member.map.position, alone.map.position);
    }
  }
}

TEST(FitModel, ARecordAmongSeveralSaysWhatItsOwnFitWas) {
  Observer silent;
  const FitOptions options = fit_both(2, silent).outputs[1].members.front().options;
  EXPECT_EQ(options.output, "sag");
  EXPECT_EQ(options.inputs, (std::vector<std::string>{"length", "load"}));
}

TEST(FitModel, LevelsSayWhichOutputTheyAreOf) {
  Listener listener;
  fit_both(2, listener);
  EXPECT_EQ(listener.names, (std::set<std::string>{"weight", "sag"}));
}

TEST(FitModel, OneOutputIsAFitAsEver) {
  Listener listener;
  ThreadExecutor executor(2);
  const EmulatorRecord model =
      fit_model({test::small_runs()}, ValidFitOptions(test::small_options()), {}, {executor, listener});
  EXPECT_TRUE(is_single(model));
  EXPECT_EQ(model.outputs[0].members[0].sample.positions, test::small_fit().sample.positions);
  EXPECT_EQ(listener.names, std::set<std::string>{""});
}

TEST(EmulatorRecord, FindsByName) {
  Observer silent;
  const EmulatorRecord both = fit_both(2, silent);
  EXPECT_EQ(find_output(both, "sag").name(), "sag");
  test::expect_parts(test::message_of(ErrorCode::usage, [&] { find_output(both, "mass"); }),
                     {"--output", "\"mass\"", "weight; sag"});
  test::expect_parts(test::message_of(ErrorCode::usage, [&] { find_output(both, ""); }), {"nothing", "weight; sag"});
  EXPECT_EQ(&find_member(both.outputs[0], ""), &both.outputs[0].members[0]);
  EXPECT_EQ(&find_member(both.outputs[0], "matern52"), &both.outputs[0].members[0]);
}

// ---- averages ----

EmulatorRecord fit_average_of(const std::vector<OutputRuns>& outputs, const std::string& weighting,
                              Observer& observer) {
  ThreadExecutor executor(2);
  const FitOptions options = test::small_options(
      {{"model", "average"}, {"average-over", "matern52,matern32,squared-exponential"}, {"weighting", weighting}});
  return fit_model(outputs, ValidFitOptions(options), {}, {executor, observer});
}

TEST(FitModel, AMemberOfAnAverageIsAFitOfItsOwn) {
  Listener listener;
  const OutputRecord output = fit_average_of({test::small_runs()}, "evidence", listener).outputs.front();
  ASSERT_EQ(output.members.size(), 3u);
  EXPECT_EQ(output.weighting, Weighting::evidence);
  const MemberRecord alone = test::small_fit({{"correlation", "matern32"}});
  EXPECT_EQ(output.members[1].sample.positions, alone.sample.positions);
  EXPECT_EQ(output.members[1].options.correlation, "matern32");
  EXPECT_EQ(output.members[1].options.model, ModelUse::single);
  EXPECT_EQ(listener.names, (std::set<std::string>{"matern52", "matern32", "squared-exponential"}));
}

TEST(FitModel, WeightsByEvidenceAreItsShares) {
  Observer silent;
  const OutputRecord output = fit_average_of({test::small_runs()}, "evidence", silent).outputs.front();
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_NEAR(std::log(output.weights[k] / output.weights[0]),
                output.members[k].evidence->log_evidence - output.members[0].evidence->log_evidence, 1e-9);
  }
}

TEST(FitModel, AveragesOfSeveralOutputs) {
  Listener listener;
  const EmulatorRecord both = fit_average_of(two_outputs(), "equal", listener);
  ASSERT_EQ(both.outputs.size(), 2u);
  for (const OutputRecord& output : both.outputs) {
    ASSERT_EQ(output.members.size(), 3u);
    for (const MemberRecord& fit : output.members) EXPECT_EQ(fit.data.output_name(), output.name());
    for (const double weight : output.weights) EXPECT_NEAR(weight, 1.0 / 3.0, 1e-15);
  }
  EXPECT_TRUE(listener.names.contains("sag, matern32"));
}

}  // namespace
}  // namespace ta2s2
