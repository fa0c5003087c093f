#include "ta2s2/workflow/add_runs.hpp"

#include <cmath>
#include <set>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/gp_problem.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/weighting.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

using test::small_fit;
using test::small_runs;

OutputRuns runs_between(const OutputRuns& all, Index begin, Index end) {
  return OutputRuns(all.inputs().middleRows(begin, end - begin), all.output().segment(begin, end - begin),
                    all.input_names(), all.output_name(), {"more.csv", {}, {}, {}});
}

const OutputRuns kAll = small_runs(16);

MemberRecord known_fit(std::vector<Setting> settings = {}) {
  return small_fit(settings, runs_between(kAll, 0, 14));
}

MemberRecord add(const MemberRecord& model, const OutputRuns& added, const AddRunsOptions& options = {},
                 int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  return add_runs(model, added, options, {executor, silent});
}

OutputRuns with_run(double length, double load, double weight) {
  return OutputRuns(Matrix{{length, load}}, Vector::Constant(1, weight), {"length", "load"}, "weight",
                    {"more.csv", {5}, {}, {}});
}

TEST(AddRuns, LeavesARecordOfAllRuns) {
  const MemberRecord model = known_fit();
  const MemberRecord record = add(model, runs_between(kAll, 14, 16));
  EXPECT_EQ(record.data.fingerprint(), kAll.fingerprint());
  EXPECT_EQ(record.scaling.low(), model.scaling.low());
  EXPECT_EQ(record.scaling.output_sd(), model.scaling.output_sd());
  EXPECT_EQ(record.prior_runs, 14);
  EXPECT_EQ(record.levels.front().beta, 0.0);
  EXPECT_EQ(record.levels.back().beta, 1.0);
  EXPECT_EQ(record.history->batches, (std::vector<Index>{14, 2}));
  EXPECT_EQ(record.evidence->log_evidence, model.evidence->log_evidence + record.history->log_evidence_increment);
  EXPECT_EQ(record.evidence->by_group.size(), model.evidence->by_group.size());
  EXPECT_EQ(recorded_settings(record.options).size(), recorded_settings(model.options).size());
  EXPECT_NE(record.notices.back().find("2 run(s) added to 14"), std::string::npos);
}

// A passes' update is an evidence of all runs for itself: the increment has both errors. One by tempering adds what the
// new runs say to the model's evidence: the sum has both.
TEST(AddRuns, ErrorsOfTheEvidenceAddUp) {
  for (const bool by_passes : {true, false}) {
    const MemberRecord model = known_fit({{"sampler", by_passes ? "ta2s2" : "annealed"}});
    const MemberRecord record = add(model, runs_between(kAll, 14, 16));
    const double known = model.evidence->standard_error, all = record.evidence->standard_error;
    const double increment = record.history->log_evidence_increment_error;
    EXPECT_GT(increment, 0.0);
    if (by_passes) {
      EXPECT_DOUBLE_EQ(increment, std::hypot(all, known));
    } else {
      EXPECT_DOUBLE_EQ(all, std::hypot(known, increment));
    }
  }
}

// Energies are those of the posterior of all runs under the frozen prior, in the user's units.
TEST(AddRuns, EnergiesAreThoseOfAFitToAllRunsWithTheSameConstants) {
  for (const char* prior : {"jointly-robust", "reference"}) {
    const MemberRecord record = add(known_fit({{"prior", prior}}), runs_between(kAll, 14, 16));
    const GpTarget target = make_target(kAll, {record.scaling, {}, 14}, record.options);
    const double offset =
        static_cast<double>(target.model()->degrees_of_freedom()) * std::log(record.scaling.output_sd());
    std::vector<Energy> energies(static_cast<std::size_t>(record.sample.size()));
    target.energies(record.sample.positions, *target.make_workspace(), energies);
    for (Index i = 0; i < record.sample.size(); ++i) {
      EXPECT_NEAR(record.sample.energies[i], energies[static_cast<std::size_t>(i)].total() + offset, 1e-9);
    }
    EXPECT_LE(record.map.energy, record.sample.energies.minCoeff());
  }
}

// The mutant of the test above: constants that follow the number of runs give other energies.
TEST(AddRuns, APriorThatIsNotFrozenHasOtherEnergies) {
  const MemberRecord record = known_fit();
  const Vector point = record.map.position;
  const auto energy_with = [&](Index prior_runs) {
    const GpTarget target = make_target(kAll, {record.scaling, {}, prior_runs}, record.options);
    std::vector<Energy> energy(1);
    target.energies(point, *target.make_workspace(), energy);
    return energy.front().total();
  };
  EXPECT_GT(std::abs(energy_with(14) - energy_with(0)), 1e-3);
}

TEST(AddRuns, TheSameBitsOnAnyNumberOfThreads) {
  const MemberRecord model = known_fit();
  const MemberRecord one = add(model, runs_between(kAll, 14, 16), {}, 1);
  const MemberRecord seven = add(model, runs_between(kAll, 14, 16), {}, 7);
  EXPECT_EQ(one.sample.positions, seven.sample.positions);
  EXPECT_EQ(one.sample.weights, seven.sample.weights);
  EXPECT_EQ(one.evidence->log_evidence, seven.evidence->log_evidence);
}

// Streams of the fit must not move its draws again; another seed, or other runs, give other streams.
TEST(AddRuns, SeedsNameOtherStreams) {
  const MemberRecord model = known_fit();
  const MemberRecord same = add(model, runs_between(kAll, 14, 16));
  const MemberRecord other = add(model, runs_between(kAll, 14, 16), {.seed = 99});
  EXPECT_NE(same.sample.positions, other.sample.positions);
  EXPECT_EQ(same.options.annealing.seed, model.options.annealing.seed);
  EXPECT_EQ(other.options.annealing.seed, 99u);
}

TEST(AddRuns, BatchesFollowOneAnother) {
  const MemberRecord first = add(known_fit(), runs_between(kAll, 14, 15));
  const MemberRecord second = add(first, runs_between(kAll, 15, 16));
  EXPECT_EQ(second.history->batches, (std::vector<Index>{14, 1, 1}));
  EXPECT_EQ(second.history->fit_evaluations, first.history->fit_evaluations);
  EXPECT_EQ(second.prior_runs, 14);
  EXPECT_EQ(second.data.fingerprint(), kAll.fingerprint());
}

TEST(AddRuns, AModelWithoutALineageIsTakenWithCare) {
  MemberRecord model = known_fit();
  model.sample.lineage = {};
  const MemberRecord record = add(model, runs_between(kAll, 14, 16));
  EXPECT_GT(record.history->log_evidence_increment_error, 0.0);
  EXPECT_TRUE(record.evidence->by_group.empty());  // its groups are not those of the model
  EXPECT_TRUE(record.sample.lineage.is_known());
}

TEST(AddRuns, AFreshFitHasTheSameConstants) {
  const MemberRecord model = known_fit();
  ThreadExecutor executor(2);
  Observer silent;
  const MemberRecord fresh = fit_like(model, kAll, ValidFitOptions(model.options), {executor, silent});
  EXPECT_EQ(fresh.scaling.low(), model.scaling.low());
  EXPECT_EQ(fresh.prior_runs, 14);
  EXPECT_FALSE(fresh.history);
}

// ---- runs that cannot belong to the model ----

std::string refusal_of(const MemberRecord& model, const OutputRuns& added, ErrorCode code = ErrorCode::bad_data) {
  return test::message_of(code, [&] { add(model, added); });
}

TEST(AddRuns, RefusesOtherColumns) {
  const OutputRuns other(Matrix{{200.0, 1e-3}}, Vector::Ones(1), {"load", "length"}, "weight");
  EXPECT_NE(refusal_of(known_fit(), other).find("expected the same 2 inputs"), std::string::npos);
}

TEST(AddRuns, RunsSomewhatOutsideGetANoticeAndThoseFarOutsideARefusal) {
  const MemberRecord model = known_fit();
  const double low = model.scaling.low()[0], width = model.scaling.width()[0];
  const MemberRecord record = add(model, with_run(low - 0.25 * width, 1e-3, 50.0));
  EXPECT_NE(record.notices[record.notices.size() - 2].find("by up to 0.25 of its width"), std::string::npos);
  const std::string text = refusal_of(model, with_run(low + 2.5 * width, 1e-3, 50.0));
  EXPECT_NE(text.find("more.csv, line 5, column \"length\": found"), std::string::npos) << text;
  EXPECT_NE(text.find("fit all runs again"), std::string::npos);
}

TEST(AddRuns, ADeclaredRangeIsKept) {
  MemberRecord model = known_fit();
  model.options.ranges = "ranges.csv";
  const double low = model.scaling.low()[0], width = model.scaling.width()[0];
  EXPECT_NE(refusal_of(model, with_run(low - 0.01 * width, 1e-3, 50.0)).find("declared range"), std::string::npos);
}

TEST(AddRuns, AContradictionNeedsANugget) {
  const OutputRuns again = with_run(kAll.inputs()(6, 0), kAll.inputs()(6, 1), kAll.output()[6] + 1.0);
  const std::string text = refusal_of(known_fit({{"nugget", "fixed(1e-8)"}}), again);
  EXPECT_NE(text.find("more.csv, line 5: the inputs of run 7 of the model with another output"), std::string::npos)
      << text;
  const MemberRecord record = add(known_fit(), again);
  EXPECT_NE(record.notices[record.notices.size() - 2].find("the nugget takes up the difference"), std::string::npos);
}

// A Box-Cox transformation ends somewhat beyond the known outputs on one side, and has no end on the other.
TEST(AddRuns, RunsThatATransformationCannotHoldAreFittedAfresh) {
  const MemberRecord model = known_fit({{"transform", "box-cox"}});
  const double low = model.data.output().minCoeff(), high = model.data.output().maxCoeff();
  MemberRecord fresh = add(model, with_run(150.0, 1e-3, low - 0.1 * (high - low)));
  MemberRecord continued = add(model, with_run(150.0, 1e-3, high + 0.1 * (high - low)));
  if (fresh.history) std::swap(fresh, continued);
  EXPECT_FALSE(fresh.history);
  EXPECT_TRUE(continued.history);
  EXPECT_EQ(fresh.prior_runs, 14);
  EXPECT_EQ(fresh.scaling.output_sd(), model.scaling.output_sd());
  EXPECT_NE(fresh.notices.back().find("beyond those that the transformation box-cox"), std::string::npos);
  for (const MemberRecord& record : {fresh, continued}) {
    EXPECT_EQ(record.data.num_runs(), 15);
    EXPECT_TRUE(holds_outputs(record.transform, record.scaling, record.data.output()));
  }
}

TEST(AddRuns, RefusesAModelWithoutDrawsOfThePosterior) {
  for (const char* sampler : {"map", "published", "tmcmc", "slice", "nuts", "plgp"}) {
    const std::string text =
        refusal_of(known_fit({{"sampler", sampler}}), runs_between(kAll, 14, 16), ErrorCode::usage);
    EXPECT_NE(text.find(std::string("--sampler ") + sampler), std::string::npos) << text;
  }
}

// ---- several outputs or models ----

constexpr Index kNumKnown = 12, kNumAll = 16;

// The small fit's runs, and another output of them.
std::vector<OutputRuns> two_outputs(Index begin, Index end) {
  const OutputRuns weight = test::small_runs(kNumAll);
  const Vector other = weight.inputs().col(0).array().sqrt() + 1e3 * weight.inputs().col(1).array();
  return {runs_between(weight, begin, end),
          runs_between(OutputRuns(weight.inputs(), other, weight.input_names(), "sag"), begin, end)};
}

EmulatorRecord known_model(const std::vector<OutputRuns>& outputs, std::vector<Setting> settings = {}) {
  ThreadExecutor executor(2);
  Observer silent;
  const std::vector<Setting> by_evidence = {
      {"model", "average"}, {"average-over", "squared-exponential,matern52"}, {"weighting", "evidence"}};
  settings.insert(settings.begin(), by_evidence.begin(), by_evidence.end());
  return fit_model(outputs, ValidFitOptions(test::small_options(settings)), {}, {executor, silent});
}

EmulatorRecord add(const EmulatorRecord& model, const std::vector<OutputRuns>& added, int threads = 2,
                   Observer&& observer = Observer()) {
  ThreadExecutor executor(threads);
  return add_runs(model, added, {}, {executor, observer});
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
  const std::vector<OutputRuns> added = two_outputs(kNumKnown, kNumAll);
  const EmulatorRecord model = known_model(two_outputs(0, kNumKnown));
  for (const int threads : {1, 3}) {
    const EmulatorRecord updated = add(model, added, threads);
    ASSERT_EQ(updated.outputs.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_EQ(updated.outputs[k].members.size(), 2u);
      for (std::size_t m = 0; m < 2; ++m) {
        expect_same_bits(updated.outputs[k].members[m], add(model.outputs[k].members[m], added[k]));
      }
    }
  }
}

TEST(AddRunsToModel, AnOutputOfOneModelBesideAnAverage) {
  const std::vector<OutputRuns> added = two_outputs(kNumKnown, kNumAll);
  const MemberRecord single = test::small_fit({}, two_outputs(0, kNumKnown)[0]);
  const EmulatorRecord average = known_model({two_outputs(0, kNumKnown)[1]});
  const EmulatorRecord updated = add({{single_member(single), average.outputs[0]}}, added);
  expect_same_bits(updated.outputs[0].members[0], add(single, added[0]));
  EXPECT_EQ(updated.outputs[0].weights, std::vector<double>{1.0});
  EXPECT_EQ(updated.outputs[0].weighting, std::nullopt);
  ASSERT_EQ(updated.outputs[1].members.size(), 2u);
}

TEST(AddRunsToModel, WeightsFollowTheNewEvidences) {
  const EmulatorRecord model = known_model({two_outputs(0, kNumKnown)[0]});
  const OutputRecord updated = add(model, {two_outputs(kNumKnown, kNumAll)[0]}).outputs[0];
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
    const EmulatorRecord model = known_model({two_outputs(0, kNumKnown)[0]}, {{"weighting", to_word(weighting)}});
    const OutputRecord updated = add(model, {two_outputs(kNumKnown, kNumAll)[0]}).outputs[0];
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
  add(known_model(two_outputs(0, kNumKnown)), two_outputs(kNumKnown, kNumAll), 2, Listener(names));
  EXPECT_EQ(names, (std::set<std::string>{"weight, squared-exponential", "weight, matern52", "sag, squared-exponential",
                                          "sag, matern52"}));
}

TEST(AddRunsToModel, AfreshHasTheSameFrozenValuesAndNoHistory) {
  const EmulatorRecord model = known_model(two_outputs(0, kNumKnown));
  ThreadExecutor executor(2);
  Observer silent;
  const EmulatorRecord fresh = fit_all_afresh(model, two_outputs(kNumKnown, kNumAll), {}, {executor, silent});
  for (const OutputRecord& output : fresh.outputs) {
    ASSERT_EQ(output.members.size(), 2u);
    EXPECT_NEAR(std::log(output.weights[1] / output.weights[0]),
                output.members[1].evidence->log_evidence - output.members[0].evidence->log_evidence, 1e-9);
    for (const MemberRecord& fit : output.members) {
      EXPECT_EQ(fit.data.num_runs(), kNumAll);
      EXPECT_EQ(fit.prior_runs, kNumKnown);
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
  const OutputRuns added = two_outputs(kNumKnown, kNumAll)[0];
  const MemberRecord before =
      test::small_fit({{"prior", "reference"}, {"sampler", "annealed"}}, two_outputs(0, kNumKnown)[0]);
  ASSERT_FALSE(before.evidence->is_normalised);
  const MemberRecord first = add(normalised(before), added);
  const MemberRecord second = normalised(add(before, added));
  EXPECT_TRUE(first.evidence->is_normalised);
  EXPECT_NEAR(first.evidence->log_evidence, second.evidence->log_evidence, 1e-9);
  EXPECT_NEAR(first.evidence->by_group.front(), second.evidence->by_group.front(), 1e-9);
  const double kept = add(before, added).history->log_evidence_increment;
  EXPECT_GT(std::abs(first.history->log_evidence_increment - kept), 0.01) << "the constant has not changed";
}

// ---- errors ----

TEST(AddRunsToModel, AnyModelThatCannotBeContinuedIsRefusedBeforeTheWork) {
  std::set<std::string> names;
  const MemberRecord good = test::small_fit({}, two_outputs(0, kNumKnown)[0]);
  const MemberRecord bad = test::small_fit({{"sampler", "map"}}, two_outputs(0, kNumKnown)[1]);
  const std::string text = test::message_of(ErrorCode::usage, [&] {
    add({{single_member(good), single_member(bad)}}, two_outputs(kNumKnown, kNumAll), 2, Listener(names));
  });
  test::expect_parts(text, {"--sampler map", "fit all runs again"});
  EXPECT_TRUE(names.empty());
}

}  // namespace
}  // namespace ta2s2
