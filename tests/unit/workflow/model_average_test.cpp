#include "ta2s2/workflow/model_average.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ta2s2/base/error.hpp"
#include "ta2s2/workflow/predict.hpp"
#include "unit/workflow/small_fit.hpp"

namespace ta2s2 {
namespace {

std::vector<ValidFitOptions> models_of(const std::vector<std::vector<Setting>>& settings) {
  std::vector<ValidFitOptions> models;
  for (const auto& of_model : settings) models.emplace_back(test::small_options(of_model));
  return models;
}

const std::vector<std::vector<Setting>> kTwo = {{{"correlation", "matern32"}},
                                                {{"correlation", "squared-exponential"}}};

OutputRecord average(Weighting weighting, int threads = 2) {
  ThreadExecutor executor(threads);
  Observer silent;
  return fit_average(test::small_runs(), models_of(kTwo), weighting, {}, {executor, silent});
}

TEST(FitAverage, KeepsEachModelsFit) {
  const OutputRecord record = average(Weighting::equal);
  ASSERT_EQ(record.fits.size(), 2U);
  EXPECT_EQ(record.weighting, "equal");
  EXPECT_THAT(record.weights, testing::ElementsAre(0.5, 0.5));
  const FitRecord alone = test::small_fit(kTwo[0]);
  EXPECT_EQ(record.fits[0].sample.positions, alone.sample.positions);
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
  const auto mean_of = [&](const Emulator& emulator) {
    return summarise(emulator, points, Predict::new_run, {}, executor).mean;
  };
  const Vector expected = record.weights[0] * mean_of(make_emulator(record.fits[0])) +
                          record.weights[1] * mean_of(make_emulator(record.fits[1]));
  EXPECT_LT((mean_of(make_emulator(record)) - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(FitAverage, ThinsByWeight) {
  OutputRecord record = average(Weighting::equal);
  record.weights = {0.75, 0.25};
  const Emulator thinned = make_thinned_emulator(record, 40);
  ASSERT_EQ(thinned.num_draws(), 40);
  EXPECT_NEAR(thinned.weights().head(30).sum(), 0.75, 1e-12);
}

TEST(FitAverage, RefusesModelsOfDifferentFreedom) {
  ThreadExecutor executor(1);
  Observer silent;
  const auto fit_both = [&](const std::vector<std::vector<Setting>>& settings) {
    return fit_average(test::small_runs(), models_of(settings), Weighting::equal, {}, {executor, silent});
  };
  try {
    fit_both({{}, {{"trend", "linear"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("degrees of freedom"));
  }
  const Setting proper = {"trend-prior", "unit-information"};
  EXPECT_EQ(fit_both({{proper}, {{"trend", "linear"}, proper}}).fits.size(), 2U);
}

TEST(ModelWeights, ByEvidenceNeedOneThatIsNormalised) {
  ThreadExecutor executor(1);
  const std::vector<FitRecord> fits = {test::small_fit({{"prior", "reference"}})};
  EXPECT_THROW(model_weights(fits, Weighting::evidence, executor), Error);
  EXPECT_EQ(model_weights(fits, Weighting::equal, executor).front(), 1.0);
}

TEST(Weighting, HasWords) {
  for (const char* word : {"evidence", "stacking", "equal"}) EXPECT_EQ(to_word(parse_weighting(word)), word);
  EXPECT_THROW(parse_weighting("best"), Error);
}

}  // namespace
}  // namespace ta2s2
