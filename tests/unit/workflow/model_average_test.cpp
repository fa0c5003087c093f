#include "ta2s2/workflow/model_average.hpp"

#include <gtest/gtest.h>

#include "ta2s2/base/error.hpp"
#include "ta2s2/workflow/fit_model.hpp"
#include "ta2s2/workflow/predict.hpp"
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
  const auto mean_of = [&](const Emulator& emulator) {
    return summarise(emulator, points, Predict::new_run, {}, executor).mean;
  };
  const Vector expected = record.weights[0] * mean_of(make_emulator(record.fits[0])) +
                          record.weights[1] * mean_of(make_emulator(record.fits[1]));
  EXPECT_LT((mean_of(make_emulator(record)) - expected).cwiseAbs().maxCoeff(), 1e-9);
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
