#include "ta2s2/workflow/sensitivity.hpp"

#include <cmath>
#include <memory>
#include <numeric>

#include "ta2s2/exec/thread_executor.hpp"
#include "unit/data/caught_error.hpp"
#include "unit/gp/small_problem.hpp"

namespace ta2s2 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> kNames = {"length", "load"};

// Of inputs from 10 to 15 and from -1 to 1; by default of a model that holds sums for likely, of which there is nothing
// to note.
Predictive small_emulator(const std::string& covariance = "rational(0.5)") {
  const PosteriorSample sample{{}, Vector{{-1.5, -0.5, -6.0}}, Vector::Ones(1), Vector::Zero(1)};
  return Predictive(std::make_shared<const GpModel>(test::small_model(14, 2, "constant", covariance)),
                    Scaling(Vector{{10.0, -1.0}}, Vector{{5.0, 2.0}}, 100.0, 8.0),
                    ParameterSpace::with_sampled_nugget(test::input_names(2)), sample);
}

// 1/n, 2/n, ..., 1 in an order of its own.
Vector shuffled_shares(Index n, Index step) {
  Vector shares(n);
  for (Index i = 0; i < n; ++i) shares[i] = static_cast<double>((i * step) % n + 1) / static_cast<double>(n);
  return shares;
}

// 200 paths: of the first input the totals are 0.2 + 0.6 s, the first-order indices half of them; the second is inert
// of half the paths.
SensitivitySample made_up_sample() {
  const Index n = 200;
  const Vector shares = shuffled_shares(n, 7);
  SensitivitySample sample{Matrix(n, 2), Matrix(n, 2), 50.0 + shares.array(), 4.0 * shares, {}, {}, {}, {}};
  sample.total.col(0) = 0.2 + 0.6 * shares.array();
  sample.first.col(0) = 0.5 * sample.total.col(0);
  sample.total.col(1) = 0.02 * shares.array() - 0.00005;  // no value at the limit itself
  sample.first.col(1).setZero();
  sample.grids = {Vector{{10.0, 15.0}}, Vector{{-1.0, 1.0}}};
  sample.effects.assign(2, Matrix(n, 2));
  sample.effects[0] << 10.0 * shares, -shares;
  sample.effects[1].setConstant(3.0);
  sample.first_errors = Vector{{0.01, 0.0}};
  sample.total_errors = Vector{{0.02, 0.0}};
  return sample;
}

// The fit says that the second input acts with probability 0.4.
const Activity kActivity{Vector{{1.0, 0.4}}, Vector{{0.0, 0.2}}};

Sensitivity summary_of(const SensitivitySample& sample, const InputDistributions& inputs) {
  return summarise_sensitivity(sample, inputs, kNames, small_emulator(), kActivity);
}
Sensitivity summary_of(const SensitivitySample& sample) {
  return summary_of(sample, uniform_inputs(small_emulator()));
}

void expect_interval(const PosteriorInterval& found, double low, double median, double high) {
  EXPECT_DOUBLE_EQ(found.low, low);
  EXPECT_DOUBLE_EQ(found.median, median);
  EXPECT_DOUBLE_EQ(found.high, high);
}

// Of 200 paths the 5th, the 100th and the 195th value: shares 0.025, 0.5 and 0.975.
TEST(SensitivitySummary, HasTheQuantilesOfPaths) {
  const Sensitivity found = summary_of(made_up_sample());
  EXPECT_EQ(found.num_paths, 200);
  ASSERT_EQ(found.inputs.size(), 2U);
  const InputSensitivity& length = found.inputs[0];
  EXPECT_EQ(length.name, "length");
  EXPECT_EQ(length.distribution, "uniform(10,15)");
  expect_interval(length.total, 0.215, 0.5, 0.785);
  expect_interval(length.first, 0.1075, 0.25, 0.3925);
  expect_interval(length.interactions, 0.1075, 0.25, 0.3925);
  expect_interval(found.additive, 0.1075, 0.25, 0.3925);
  expect_interval(found.mean, 50.025, 50.5, 50.975);
  expect_interval(found.variance, 0.1, 2.0, 3.9);
  EXPECT_EQ(length.first_error, 0.01);
  EXPECT_EQ(length.total_error, 0.02);
}

TEST(SensitivitySummary, CountsPathsOfWhichAnInputIsInert) {
  const Sensitivity found = summary_of(made_up_sample());
  EXPECT_EQ(found.inputs[0].p_inert, 0.0);
  EXPECT_EQ(found.inputs[1].p_inert, 0.5);
  EXPECT_EQ(found.inputs[0].p_active, 1.0);
  EXPECT_EQ(found.inputs[1].p_active, 0.4);
}

TEST(SensitivitySummary, HasMainEffectsValueByValue) {
  const InputSensitivity length = summary_of(made_up_sample()).inputs[0];
  EXPECT_THAT(std::vector<double>(length.grid.begin(), length.grid.end()), ElementsAre(10.0, 15.0));
  EXPECT_DOUBLE_EQ(length.effect_mean[0], 5.025);
  EXPECT_DOUBLE_EQ(length.effect_low[0], 0.25);
  EXPECT_DOUBLE_EQ(length.effect_median[0], 5.0);
  EXPECT_DOUBLE_EQ(length.effect_high[0], 9.75);
  EXPECT_DOUBLE_EQ(length.effect_low[1], -0.98);
  EXPECT_DOUBLE_EQ(length.effect_high[1], -0.03);
}

TEST(SensitivitySummary, OfTheEmulatorsOwnRangesHasNothingToNote) {
  const Sensitivity found = summary_of(made_up_sample());
  EXPECT_EQ(found.share_outside, 0.0);
  EXPECT_THAT(found.notices, IsEmpty());
}

TEST(SensitivitySummary, NotesAModelThatHoldsSumsForUnlikely) {
  const Predictive product = small_emulator("matern52");
  const auto notices =
      summarise_sensitivity(made_up_sample(), uniform_inputs(product), kNames, product, kActivity).notices;
  EXPECT_THAT(notices, ElementsAre(HasSubstr("if inputs act mostly one by one, these intervals are too narrow")));
}

// A fifth of the first input's range and half of the second's: 1 - 0.8 0.5 of all combinations.
TEST(SensitivitySummary, NotesWhatLiesOutsideTheRanges) {
  const Sensitivity found =
      summary_of(made_up_sample(), {make_uniform_input(10.0, 16.25), make_uniform_input(-2.0, 2.0)});
  EXPECT_NEAR(found.share_outside, 0.6, 1e-8);
  ASSERT_EQ(found.notices.size(), 1U);
  EXPECT_THAT(found.notices[0], HasSubstr("60% of the inputs' distribution lies outside the ranges"));
  // A normal with four standard deviations within the range leaves 6e-5 outside: too little to speak of.
  EXPECT_THAT(
      summary_of(made_up_sample(), {make_input_distribution("normal(12.5,0.625)"), make_uniform_input(-1, 1)}).notices,
      IsEmpty());
}

// The first input's totals have the standard deviation 0.6 / sqrt(12); above 0.3 of that an error is worth a note.
TEST(SensitivitySummary, NotesErrorsOfIntegrationThatWidenIntervals) {
  SensitivitySample sample = made_up_sample();
  sample.total_errors[0] = 0.29 * 0.6 / std::sqrt(12.0);
  EXPECT_THAT(summary_of(sample).notices, IsEmpty());
  sample.total_errors[0] = 0.31 * 0.6 / std::sqrt(12.0);
  const std::vector<std::string> notices = summary_of(sample).notices;
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_THAT(notices[0], HasSubstr("widens the intervals of length by 5% or more"));
  sample.total_errors[1] = 0.1;
  EXPECT_THAT(summary_of(sample).notices[0], HasSubstr("of length, load by"));
}

InputDistributions matched(const std::vector<InputStatement>& statements) {
  return match_inputs(statements, kNames, small_emulator());
}
std::string refusal_of(const std::vector<InputStatement>& statements) {
  return test::message_of(ErrorCode::usage, [&] { matched(statements); });
}

TEST(MatchedInputs, AreUniformUnlessSomebodySaysOtherwise) {
  const InputDistributions found = matched({{"load", "normal(0,0.2)", ""}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]->spec(), "uniform(10,15)");
  EXPECT_EQ(found[1]->spec(), "normal(0,0.2)");
}

TEST(MatchedInputs, NameEveryProblem) {
  test::expect_parts(refusal_of({{"depth", "uniform(0,1)", "inputs.toml, line 1"},
                                 {"length", "cauchy(0,1)", "inputs.toml, line 2"},
                                 {"load", "uniform(1,0)", "inputs.toml, line 3"}}),
                     {"inputs.toml, line 1: found the input \"depth\", expected one of length, load; ",
                      "inputs.toml, line 2: length: 'cauchy(0,1)' is not a distribution; ",
                      "inputs.toml, line 3: load: ", "expected rising numbers"});
}

TEST(MatchedInputs, NeedNoPlace) {
  EXPECT_THAT(refusal_of({{"depth", "uniform(0,1)", ""}}), testing::StartsWith("found the input \"depth\""));
}

// An average's indices are those of its models' draws, in proportion to the models' weights: over many paths the mean
// of the totals lies between the models' own as the weights say. Paths of an average are others than those of its
// models alone: four standard errors of all three means.
TEST(SensitivityOfAnAverage, IsBetweenThatOfItsModels) {
  const Predictive smooth = small_emulator("squared-exponential"), rough = small_emulator("matern32");
  ThreadExecutor executor(2);
  SensitivityOptions options;
  options.num_paths = 1600;
  options.num_waves = 64;
  options.num_points = 16;
  const auto totals = [&](const Predictive& predictive) -> Vector {
    return analyse_sensitivity(predictive, uniform_inputs(predictive), options, executor).total.col(0);
  };
  const auto variance = [](const Vector& v) {
    return (v.array() - v.mean()).square().mean() / static_cast<double>(v.size());
  };
  const Vector of_smooth = totals(smooth), of_rough = totals(rough);
  const Vector of_average = totals(Predictive::average({smooth, rough}, {0.25, 0.75}));
  const double expected = 0.25 * of_smooth.mean() + 0.75 * of_rough.mean();
  const double error = std::sqrt(variance(of_smooth) / 16.0 + variance(of_rough) * 9.0 / 16.0 + variance(of_average));
  EXPECT_NEAR(of_average.mean(), expected, 4.0 * error);
  // The mutant takes the models as equally likely.
  EXPECT_GT(std::abs(0.5 * of_smooth.mean() + 0.5 * of_rough.mean() - expected), 4.0 * error);
}

}  // namespace
}  // namespace ta2s2
