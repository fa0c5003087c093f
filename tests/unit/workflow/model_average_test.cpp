#include "ta2s2/workflow/model_average.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ta2s2/error.hpp"
#include "ta2s2/workflow/fit.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "ta2s2/workflow/weighting.hpp"
#include "unit/workflow/good_record.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

OutputRecord average(Weighting weighting, int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  const FitOptions options = test::small_options(
      {{"model", "average"}, {"average-over", "matern32,squared-exponential"}, {"weighting", to_word(weighting)}});
  return fit_model({test::small_runs()}, ValidFitOptions(options), {}, {executor, silent}).outputs.front();
}

TEST(FitAverage, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const Weighting weighting : {Weighting::evidence, Weighting::stacking}) {
    EXPECT_EQ(average(weighting, 1).weights, average(weighting, 3).weights);
  }
}

TEST(FitAverage, PredictsTheWeightedMean) {
  const OutputRecord record = average(Weighting::evidence);
  ThreadExecutor executor(2);
  const Matrix points = test::small_inputs(5, 9);
  const auto mean_of = [&](const Predictive& predictive) {
    return summarise(predictive, points, Predict::new_run, {}, executor).mean;
  };
  const Vector expected = record.weights[0] * mean_of(make_predictive(record.members[0])) +
                          record.weights[1] * mean_of(make_predictive(record.members[1]));
  EXPECT_LT((mean_of(make_predictive(record)) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

// The fits with one draw each, whose densities alone then weigh models without a run.
OutputRecord one_draw_each(OutputRecord record) {
  for (MemberRecord& fit : record.members) {
    const PosteriorSample& all = fit.sample;
    fit.sample = {all.names, all.positions.leftCols(1), Vector::Ones(1), all.energies.head(1)};
  }
  return record;
}

// p(model | runs without one) is proportional to p(model | runs) / p(that run | the others, model). With one draw each
// nothing is smoothed.
TEST(LeftOutOfAnAverage, WeighsModelsAsTheyWouldBeWithoutTheRun) {
  const OutputRecord record = one_draw_each(average(Weighting::evidence));
  ThreadExecutor executor(2);
  const LeftOutRuns found = left_out_runs(record, executor);
  const LeftOutRuns first = left_out_runs(record.members[0], executor),
                    second = left_out_runs(record.members[1], executor);
  double farthest = 0.0;
  for (Index i = 0; i < found.num_runs(); ++i) {
    const double y = record.members[0].data.output()[i];
    const double odds =
        record.weights[1] / record.weights[0] * std::exp(first.at(i).log_density(y) - second.at(i).log_density(y));
    EXPECT_NEAR(found.weights(0, i), 1.0 / (1.0 + odds), 1e-9);
    farthest = std::max(farthest, std::abs(found.weights(0, i) - record.weights[0]));
  }
  EXPECT_GT(farthest, 1e-6);  // the mutant: weights of all runs
}

TEST(LeftOutOfAnAverage, KeepsWeightsThatAreNoProbabilities) {
  const OutputRecord record = one_draw_each(average(Weighting::equal));
  ThreadExecutor executor(2);
  EXPECT_LT((left_out_runs(record, executor).weights.array() - 0.5).abs().maxCoeff(), 1e-12);
}

TEST(LeftOutOfAnAverage, OfOneModelWithItselfIsThatModels) {
  OutputRecord twice = single_member(test::small_fit({{"samples", "100"}}));  // so few that none are left out
  twice.members.push_back(twice.members.front());
  twice.weights = {0.25, 0.75};
  twice.weighting = Weighting::stacking;
  ThreadExecutor executor(2);
  const LeftOutRuns both = left_out_runs(twice, executor), one = left_out_runs(twice.members.front(), executor);
  for (Index i = 0; i < one.num_runs(); ++i) EXPECT_NEAR(both.at(i).mean(), one.at(i).mean(), 1e-9);
  EXPECT_EQ(both.k_hat, one.k_hat);
}

TEST(OptionsOf, MakeTheAverageAgain) {
  const OutputRecord record = average(Weighting::stacking);
  const FitOptions options = options_of(record);
  EXPECT_EQ(options.average_over, (std::vector<std::string>{"matern32", "squared-exponential"}));
  EXPECT_EQ(options.weighting, Weighting::stacking);
  EXPECT_EQ(models_of(options).size(), 2u);
}

TEST(OptionsOf, MakeMembersAgainByCorrelationAndTransformation) {
  OutputRecord record{{test::good_record(), test::good_record()}, {0.5, 0.5}, Weighting::stacking};
  record.members[0].options.correlation = "matern52";
  record.members[0].options.transform = "box-cox";
  record.members[1].options.correlation = "rational(0.5)";
  for (MemberRecord& member : record.members) member.options.recalibration = Recalibration::left_out;
  const FitOptions options = options_of(record);
  EXPECT_EQ(options.average_over, (std::vector<std::string>{"matern52*box-cox", "rational(0.5)"}));
  EXPECT_EQ(options.recalibration, Recalibration::left_out);
  const std::vector<ValidFitOptions> models = models_of(ValidFitOptions(options).get());
  ASSERT_EQ(models.size(), 2u);
  EXPECT_EQ(member_label(models[0].get()), "matern52*box-cox");
  EXPECT_EQ(member_label(models[1].get()), "rational(0.5)");
  EXPECT_EQ(models[1]->transform, "none");
  EXPECT_EQ(run_name("y", models[0].get(), 2, 2), "y, matern52*box-cox");
}

// Each member is the best that its search finds, and they are weighed by runs that are left out.
TEST(FitAverage, OfMaximaIsWeighedByLeftOutRuns) {
  ThreadExecutor executor(2);
  Observer silent;
  const FitOptions options = test::small_options({{"model", "average"},
                                                  {"average-over", "matern32,squared-exponential,matern52"},
                                                  {"weighting", "stacking"},
                                                  {"recalibration", "left-out"},
                                                  {"fast", "true"}});
  const OutputRecord record =
      fit_model({test::small_runs()}, ValidFitOptions(options), {}, {executor, silent}).outputs.front();
  ASSERT_EQ(record.members.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(record.members[k].sample.size(), 1);
    EXPECT_EQ(record.members[k].options.correlation, parse_member(options.average_over[k]).correlation);
    EXPECT_GE(record.weights[k], 2.0 / 20.0 - 1e-9);  // 6 pseudo-runs of 20, a third of them each
  }
  EXPECT_EQ(record.weights, model_weights(record.members, Weighting::stacking, executor));
  ASSERT_TRUE(record.recalibration.has_value());
  EXPECT_GE(*record.recalibration, 1.0);
  EXPECT_TRUE(record.left_out->k_hat.array().isNaN().all());
}

// Four runs: a trend's constant and one left out leave two degrees of freedom, and no variance.
TEST(FitAverage, OfTooFewRunsToLeaveOneOutWeighsEqually) {
  ThreadExecutor executor(2);
  Observer silent;
  const FitOptions options =
      test::small_options({{"model", "average"}, {"average-over", "matern32,squared-exponential"}, {"fast", "true"}});
  const auto weights_of = [&](Index num_runs) {
    return fit_model({test::small_runs(num_runs)}, ValidFitOptions(options), {}, {executor, silent})
        .outputs.front()
        .weights;
  };
  EXPECT_EQ(weights_of(4), (std::vector<double>{0.5, 0.5}));
  EXPECT_NE(weights_of(8), (std::vector<double>{0.5, 0.5}));
}

TEST(ModelWeights, HaveARuleForEveryWord) {
  for (const WeightingRule& rule : weighting_rules()) {
    EXPECT_EQ(parse_weighting(rule.word), rule.weighting);
    EXPECT_EQ(&rule_of(rule.weighting), &rule);
  }
}

TEST(ModelWeights, ByEvidenceNeedOneThatIsNormalised) {
  ThreadExecutor executor(1);
  const std::vector<MemberRecord> fits = {test::small_fit({{"prior", "reference"}})};
  EXPECT_THROW(model_weights(fits, Weighting::evidence, executor), Error);
  EXPECT_EQ(model_weights(fits, Weighting::equal, executor).front(), 1.0);
}

TEST(Weighting, HasWords) {
  for (const char* word : {"evidence", "stacking", "equal"}) EXPECT_EQ(to_word(parse_weighting(word)), word);
  EXPECT_THROW(parse_weighting("best"), Error);
}

}  // namespace
}  // namespace ta2s2
